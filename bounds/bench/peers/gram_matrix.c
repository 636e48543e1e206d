/* See gram_matrix.h. */
#include "gram_matrix.h"

#include "certify/structured_gram.h"

#include <stdlib.h>

typedef struct {
  double *g;
  size_t side, out;
} square_matrix;

/* Blocks are computed where they belong. */
static double *place(void *context, int row, int column, int *stride) {
  const square_matrix *const s = context;
  *stride = (int)s->side;
  return s->g + (size_t)row * s->out * s->side + (size_t)column * s->out;
}

static void take(void *context, int row, int column, const double *block, int stride) {
  (void)context, (void)row, (void)column, (void)block, (void)stride;
}

/* Every block of G~, and how far off they are. */
static attcert_status fill(double *error, const gram_blocks *blocks, midpoint_layer *m, int threads,
                           attcert_error *err) {
  attcert_options options;
  structured_gram gram = {0};
  attcert_options_default(&options);
  options.threads = threads;
  attcert_status status = midpoint_layer_diagonal(m, err);
  if (status == ATTCERT_OK) status = structured_gram_init(&gram, m, err);
  if (status == ATTCERT_OK) status = structured_gram_blocks(&gram, blocks, &options, err);
  if (status == ATTCERT_OK) status = structured_gram_error(error, &gram, err);
  structured_gram_clear(&gram);
  return status;
}

attcert_status gram_matrix_init(double **g, int *side, double *error, midpoint_layer *m, int threads,
                                attcert_error *err) {
  *side = structured_gram_side(m);
  *g = calloc((size_t)*side * (size_t)*side, sizeof(double));
  if (*g == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a Gram matrix of side %d", *side);
  square_matrix square = {*g, (size_t)*side, (size_t)m->out_dim};
  const gram_blocks blocks = {.place = place, .take = take, .context = &square};
  const attcert_status status = fill(error, &blocks, m, threads, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  free(*g);
  *g = NULL;
  return status;
}
