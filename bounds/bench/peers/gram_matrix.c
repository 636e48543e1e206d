/* See gram_matrix.h. */
#include "gram_matrix.h"

#include "certify/structured_gram.h"

#include <stdlib.h>

attcert_status gram_matrix_init(double **g, int *side, double *error, midpoint_layer *m, int threads,
                                attcert_error *err) {
  attcert_options options;
  attcert_options_default(&options);
  options.threads = threads;
  *side = structured_gram_side(m);
  *g = calloc((size_t)*side * (size_t)*side, sizeof(double));
  if (*g == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a Gram matrix of side %d", *side);
  attcert_status status = midpoint_layer_diagonal(m, err);
  if (status == ATTCERT_OK) status = structured_gram(*g, error, m, &options, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  free(*g);
  *g = NULL;
  return status;
}
