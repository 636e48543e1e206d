/* Linear maps of exact tokens, in intervals: the first step of the layer and of its directional derivative. */
#ifndef ATTCERT_PROJECTION_H
#define ATTCERT_PROJECTION_H

#include "attcert.h"
#include "interval/interval_vec.h"

/* n tokens of dimension dim through `heads` maps of head_dim rows each. */
typedef struct {
  int n, dim, heads, head_dim;
  mpfr_prec_t precision;
  int threads;
} projection_shape;

/* out[h][i][r] contains sum_c weight[h k + r, c] x_i[c] + bias[h k + r]; bias may be NULL. weight, bias and x (n dim,
 * token by token) are finite. The sums are exact, and rounded once; the bias once more. Errors: ATTCERT_RESOURCE. */
attcert_status projection_enclosure(interval *out, const double *weight, const double *bias, const double *x,
                                    const projection_shape *shape, attcert_error *err);

/* Bytes that project will take. */
uint64_t projection_bytes(int n, int dim);

#endif
