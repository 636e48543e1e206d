/* The layer's Jacobian as factors of doubles with radii: J = 2^exponent J', and J~ is an exact matrix of doubles close
 * to J'.
 *
 * With P, v, y, g, k from the enclosure, block (i, l) of head h (theory: dP_ij = P_ij (ds_ij - sum_m P_im ds_im)) is
 *     J'_il = P_il V' + w_il g_i^T + delta_il F_i,     w_il = P_il (v_l - y_i),
 *     F_i = C_i Q',   C_i = rho_i sum_j w_ij kappa_j^T,   kappa_j = (k_j - c) / sqrt(k) for any c, as sum_j w_ij = 0;
 * J' = (I (x) W') [J'^1; ...; J'^H], or the heads concatenated when there is no W_O. Powers of two keep every number in
 * [-2, 2]: rows of V and w are divided by 2^shift[h k + r] and the columns of W_O multiplied by it; w_ij carries the
 * scale of its token, g_i and Q' are divided by theirs, and rho_i is the power of two between them. So neither 1e200
 * nor 1e-300 weights leave the range of double; what underflows is below 2^-1074 and is covered by the radii. F_i
 * stays a product, which costs its users k x k instead of k x d numbers a token. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_H
#define ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_H

#include "attcert.h"

typedef struct {
  int n, dim, heads, head_dim, out_dim;
  attcert_mask mask;
  bool zero;     /* J = 0 exactly; nothing below is set */
  long exponent; /* J = 2^exponent J' */
  double excess; /* largest radius that is not rounding to double: beyond 2^-60 more MPFR bits would sharpen J' */
  long *scale;   /* [H][n]: g_i is divided by 2^scale, w_ij multiplied by it */
  long *shift;   /* [H k]: rows of V and w are divided by 2^shift */
  double *p, *p_radius;         /* [H][n][n] */
  double *w;                    /* [H][n][k][n]: component r of w_ij at ((h n + i) k + r) n + j */
  double *w_radius;             /* [H][n][n]: >= ||w_ij - w~_ij||_2 */
  double *g, *g_radius;         /* [H][n][d]; [H][n], l2 */
  double *kappa, *kappa_radius; /* [H][n][k]; [H][n], l2 */
  double *rho;                  /* [H][n], powers of two <= 1 */
  double *covariance;           /* [H][n][k][k]: C~_i; F~_i = C~_i Q' exactly */
  double *f_radius;             /* [H][n]: >= ||F_i - F~_i||_F */
  double *v, *q;                /* [H k][d], V' and Q' */
  double *output;               /* [out_dim][H k], W'; NULL: concatenated heads */
} factored_jacobian;

/* Index of token i of head h: h n + i. */
size_t factored_jacobian_token(const factored_jacobian *m, int h, int i);

/* Bytes of its arrays. */
uint64_t factored_jacobian_bytes(const attcert_layer *layer, int n);

/* Zeros, with room for everything, and the shape and mask of a layer and n tokens. Errors: ATTCERT_RESOURCE, m is then
 * empty. */
attcert_status factored_jacobian_init(factored_jacobian *m, const attcert_layer *layer, int n, attcert_error *err);
void factored_jacobian_clear(factored_jacobian *m);

#endif
