/* See gram_matrix.h. */
#include "gram_matrix.h"

#include "certify/jacobian/block_gram.h"
#include "certify/jacobian/jacobian_errors.h"

#include <stdlib.h>

typedef struct {
  double *g;
  size_t side, out;
} square_matrix;

/* Blocks are computed where they belong. */
static double *place(void *context, int row, int column, int first, int *count, int *stride) {
  const square_matrix *const s = context;
  (void)count;
  *stride = (int)s->side;
  return s->g + (size_t)column * s->out * s->side + (size_t)row * s->out + (size_t)first;
}

/* Its mirror image. */
static void take(void *context, int row, int column) {
  const square_matrix *const s = context;
  const size_t first = (size_t)column * s->out, other = (size_t)row * s->out;
  for (size_t c = first; row < column && c < first + s->out; c++)
    for (size_t r = other; r < other + s->out; r++) s->g[r * s->side + c] = s->g[c * s->side + r];
}

attcert_status gram_matrix_init(double **g, int *side, double *error, const factored_jacobian *m, int threads,
                                attcert_error *err) {
  attcert_options options;
  attcert_options_default(&options);
  options.threads = threads;
  *side = block_gram_side(m);
  *g = calloc((size_t)*side * (size_t)*side, sizeof(double));
  if (*g == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a Gram matrix of side %d", *side);
  square_matrix square = {*g, (size_t)*side, (size_t)m->out_dim};
  const gram_blocks blocks = {.place = place, .take = take, .context = &square};
  jacobian_errors errors;
  attcert_status status = jacobian_errors_of(&errors, m, err);
  if (status == ATTCERT_OK) status = block_gram_once(error, &blocks, m, errors.absolute, &options, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  free(*g);
  *g = NULL;
  return status;
}
