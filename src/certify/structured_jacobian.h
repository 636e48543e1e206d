/* Products with the Jacobian J~ of a midpoint layer, in double through BLAS, without ever forming it. */
#ifndef ATTCERT_STRUCTURED_JACOBIAN_H
#define ATTCERT_STRUCTURED_JACOBIAN_H

#include "certify/linear_operator.h"
#include "certify/midpoint_layer.h"

/* Scratch for products with up to `vectors` vectors at a time; points into the midpoint layer, which must outlive it. */
typedef struct {
  const midpoint_layer *m;
  int vectors;
  double *channels; /* [vectors][n][H k]: values of the tokens, before or after attention */
  double *values;   /* [vectors][n][k]: one head's V' x_l, then Q' x_i; or P^T c, then C_i^T c_i */
  double *weights;  /* [n][vectors][n]: the scores' response */
} structured_jacobian;

attcert_status structured_jacobian_init(structured_jacobian *s, const midpoint_layer *m, int vectors,
                                        attcert_error *err);
void structured_jacobian_clear(structured_jacobian *s);
uint64_t structured_jacobian_bytes(const attcert_layer *layer, int n, int vectors);

/* y_b = J~ x_b for b < count <= vectors: x holds count vectors of n d entries one after the other, y count of n out_dim. With
 * transpose, y_b = J~^T x_b and the lengths change places. */
void structured_jacobian_multiply(const structured_jacobian *s, double *y, const double *x, int count, bool transpose);

/* More roundings than on any path from an entry of x to one of y: |y_b - J~ x_b| <= gamma |J~|^ |x_b|, with
 * |J~|^ = (I (x) |W'|) J^ and gamma that of this number (Higham, section 3.5, once a factor). */
double structured_jacobian_roundings(const midpoint_layer *m);

/* J~ : R^{n d} -> R^{n out_dim} */
linear_operator structured_jacobian_operator(const structured_jacobian *s);

/* *bound >= ||J^||_2^2 for the concatenated heads (without W'), J^_il = P_il |V'| + |w_il| |g_i|^T + delta_il |C_i| |Q'| >= |J~_il|:
 * what a-priori rounding bounds of products with J~ are relative to. */
attcert_status structured_jacobian_absolute_norm(double *bound, const midpoint_layer *m, attcert_error *err);

/* *bound >= ||fl(J~ x) - J~ x|| / ||x||: with A = (I (x) |W'|) J^ >= |J~| and p roundings a path at most gamma_p ||A||.
 * absolute >= ||J^||^2: structured_jacobian_absolute_norm. */
attcert_status structured_jacobian_product_error(double *bound, const midpoint_layer *m, double absolute,
                                                 attcert_error *err);

/* *bound >= ||fl(J~ fl(J~^T x)) - J~ J~^T x|| / ||x||. With A = (I (x) |W'|) J^ >= |J~| and p roundings a path, the first product is
 * off by at most gamma_p A^T |x| and the second likewise, so both together by (gamma_p + gamma_p (1 + gamma_p)) ||A||^2 ||x||
 * <= gamma_{2p + 2} || |W'| ||^2 ||J^||^2 ||x||. absolute >= ||J^||^2: structured_jacobian_absolute_norm. */
attcert_status structured_jacobian_gram_error(double *bound, const midpoint_layer *m, double absolute,
                                              attcert_error *err);

#endif
