/* Products with the Jacobian J~ of a factored Jacobian, in double through BLAS, without ever forming it. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_STRUCTURED_JACOBIAN_H
#define ATTCERT_CERTIFY_JACOBIAN_STRUCTURED_JACOBIAN_H

#include "certify/jacobian/factored_jacobian.h"
#include "linalg/operator/linear_operator.h"

/* Scratch for products with up to `vectors` vectors at a time; m must outlive it. */
typedef struct {
  const factored_jacobian *m;
  int vectors;
  double *channels;           /* [vectors][n][H k]: values of the tokens, before or after attention */
  double *values;             /* [vectors][n][2][H k]: V' x_l and Q' x_i; or P^T c and C_i^T c_i */
  double *weights;            /* [heads at a time][n][vectors][n]: the scores' response */
  double *square;             /* (2 k + n) x (2 k + n): S S^T, S = (V'; Q'; g_1 ... g_n), or NULL */
  double *responses, *scores; /* with `square`: values and weights after it */
} structured_jacobian;

attcert_status structured_jacobian_init(structured_jacobian *s, const factored_jacobian *m, int vectors,
                                        attcert_error *err);
void structured_jacobian_clear(structured_jacobian *s);
uint64_t structured_jacobian_bytes(const attcert_layer *layer, int n, int vectors);

/* y_b = J~ x_b for b < count <= vectors: x holds count vectors of n d entries one after the other, y count of n
 * out_dim. With transpose, y_b = J~^T x_b and the lengths change places. */
void structured_jacobian_multiply(const structured_jacobian *s, double *y, const double *x, int count, bool transpose);

/* Prepares structured_jacobian_square for one head with 2 k + n <= d, where J~ is made of fewer vectors of length d
 * than d: their inner products S S^T then stand between what J~^T makes of x and what J~ makes of that, and nothing of
 * length n d is formed. Otherwise does nothing. Errors: ATTCERT_RESOURCE. */
attcert_status structured_jacobian_prepare_square(structured_jacobian *s, attcert_error *err);

/* y_b = J~ J~^T x_b; image: room for count n d doubles. */
void structured_jacobian_square(const structured_jacobian *s, double *y, double *image, const double *x, int count);

/* Roundings on a path from an entry of x to one of y = J~ x, or J~^T x, at most, stage by stage in the order of
 * computation: what makes values, own and weights of x; what the heads make of these; W'. Transposed: W'^T; what each
 * head collects; the sums over all heads. */
typedef struct {
  double stage[3];
} structured_path;

structured_path structured_jacobian_path(const factored_jacobian *m, bool transpose);

/* On the whole path, an expression in sums and products (Coq: `rounded_expression`): what that makes of a product is in
 * jacobian_errors.h. */
double structured_jacobian_roundings(const factored_jacobian *m, bool transpose);

/* J~ : R^{n d} -> R^{n out_dim} */
linear_operator structured_jacobian_operator(const structured_jacobian *s);

#endif
