/* Products with the Jacobian J~ of a midpoint layer, in double through BLAS, without ever forming it. */
#ifndef ATTCERT_STRUCTURED_JACOBIAN_H
#define ATTCERT_STRUCTURED_JACOBIAN_H

#include "certify/linear_operator.h"
#include "certify/midpoint_layer.h"

/* Scratch of the products; points into the midpoint layer, which must outlive it. */
typedef struct {
  const midpoint_layer *m;
  double *channels; /* [n][H k]: values of the tokens, before or after attention */
  double *queries;  /* [n][H k]: products with Q' where F is not stored */
  double *weights;  /* [n][n] */
  double *keys;     /* [n][n] */
} structured_jacobian;

attcert_status structured_jacobian_init(structured_jacobian *s, const midpoint_layer *m, attcert_error *err);
void structured_jacobian_clear(structured_jacobian *s);

/* J~ : R^{n d} -> R^{n out_dim}. Uses the stored diagonal blocks F where there are any, else their factors. */
linear_operator structured_jacobian_operator(const structured_jacobian *s);

/* *bound >= ||J^||_2^2 for the concatenated heads (without W'), J^_il = P_il |V'| + |w_il| |g_i|^T + delta_il |F_i| >= |J~_il|:
 * what a-priori rounding bounds of products with J~ are relative to. Needs midpoint_layer_diagonal. */
attcert_status structured_jacobian_absolute_norm(double *bound, const midpoint_layer *m, attcert_error *err);

#endif
