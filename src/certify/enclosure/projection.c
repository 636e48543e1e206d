#include "certify/enclosure/projection.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "linalg/exact_rows.h"

#include <stdatomic.h>

/* Room for digits of tokens, on average: rows of one size take two. Where they take more, fewer tokens are held at
 * once. */
enum { TOKEN_DIGITS = 6 };

typedef struct {
  interval *out;
  const double *weight, *bias;
  const projection_shape *shape;
  exact_rows tokens; /* those from `first` on */
  int first, count;
  atomic_bool failed; /* out of memory */
} projection;

/* Row `index` of the weight applied to the tokens at hand. */
static void project_row(void *context, int index) {
  projection *const p = context;
  const projection_shape *const s = p->shape;
  const size_t dim = (size_t)s->dim, n = (size_t)s->n, k = (size_t)s->head_dim;
  const size_t h = (size_t)index / k, r = (size_t)index % k;
  const double *const weight = p->weight + (size_t)index * dim;
  exact_rows row;
  if (exact_rows_init(&row, weight, 1, dim, NULL)) {
    interval bias;
    mpz_t sum;
    mpz_init(sum);
    interval_init(&bias, s->precision);
    if (p->bias != NULL) interval_set_d(&bias, p->bias[index]);
    for (size_t t = 0; t < (size_t)p->count; t++) {
      interval *const y = p->out + (h * n + (size_t)p->first + t) * k + r;
      exact_rows_dot(y, &row, 0, &p->tokens, t, sum);
      if (p->bias != NULL) interval_add(y, y, &bias);
    }
    interval_clear(&bias);
    mpz_clear(sum);
  } else {
    atomic_store(&p->failed, true);
  }
  exact_rows_clear(&row);
}

attcert_status projection_enclosure(interval *out, const double *weight, const double *bias, const double *x,
                                    const projection_shape *shape, attcert_error *err) {
  const size_t dim = (size_t)shape->dim, digits = exact_rows_digits(x, (size_t)shape->n, dim);
  const int most = (int)((size_t)shape->n * TOKEN_DIGITS / digits), at_once = most > 1 ? most : 1;
  projection p = {.out = out, .weight = weight, .bias = bias, .shape = shape};
  atomic_init(&p.failed, false);
  for (; p.first < shape->n && !atomic_load(&p.failed); p.first += p.count) {
    p.count = shape->n - p.first < at_once ? shape->n - p.first : at_once;
    if (exact_rows_init(&p.tokens, x + (size_t)p.first * dim, (size_t)p.count, dim, NULL))
      parallel_for(shape->heads * shape->head_dim, shape->threads, project_row, &p);
    else
      atomic_store(&p.failed, true);
    exact_rows_clear(&p.tokens);
  }
  if (!atomic_load(&p.failed)) return ATTCERT_OK;
  return array_out_of_memory(err, projection_bytes(shape->n, shape->dim), "a projection of %d tokens", shape->n);
}

uint64_t projection_bytes(int n, int dim) {
  return fixed_matrix_bytes((size_t)n, (size_t)dim, TOKEN_DIGITS);
}
