#include "lipschitz/lipschitz_run.h"
#include "randomized/randomized_norm.h"

uint64_t lipschitz_random_bytes(size_t rows, size_t cols) {
  return randomized_norm_bytes(rows, cols);
}

typedef struct {
  const network_linear *jacobian;
  const network_part *part;
} factor;

static int product(void *context, double *y, const double *x, size_t count, bool transposed) {
  const factor *const f = context;
  network_linear_multiply(f->jacobian, f->part, y, x, (int)count, transposed);
  return 0;
}

attcert_status lipschitz_random(double *upper, double *u, lipschitz_run *r, const network_part *part, double width) {
  const attcert_options *const o = r->options;
  factor f = {&r->jacobian, part};
  const randomized_matrix matrix = {.rows = lipschitz_rows(r, part),
                                    .cols = lipschitz_cols(r, part),
                                    .product = product,
                                    .context = &f,
                                    .error = network_part_error(part)};
  /* Parts may share the bits of a seed: probabilities add up whatever events have in common. */
  randomized_question question = {.failure_log2 = r->failure_log2,
                                  .width = 0.5 * width,
                                  .bits = {.seeded = o->seeded, .seed = o->seed},
                                  .options = o};
  randomized_answer answer;
  double lower;
  const attcert_status status = randomized_norm(&lower, u, &answer, &matrix, &question, r->err);
  *upper = answer.upper;
  return status;
}
