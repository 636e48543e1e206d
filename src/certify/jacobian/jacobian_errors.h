/* What double arithmetic owes to a layer's Jacobian: bounds of everything that rounding does to products with it, a
 * priori. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_JACOBIAN_ERRORS_H
#define ATTCERT_CERTIFY_JACOBIAN_JACOBIAN_ERRORS_H

#include "certify/jacobian/factored_jacobian.h"

/* J' is the Jacobian as scaled by the factored Jacobian, J~ that of its doubles. J^ >= 0 is what rounding bounds of
 * products with J~ are relative to, for the concatenated heads (without W'):
 *     J^_il = P_il |V'| + |w_il| |g_i|^T + delta_il |C_i| |Q'|.
 * With A = (I (x) |W'|) J^ >= |J~| and p roundings a path (structured_jacobian_roundings), q one of the transpose,
 *     |fl(J~ x) - J~ x| <= gamma_p A |x|      (Coq: `rounded_expression`, `power_le_gamma`),
 * and two products one after the other are off by (gamma_q + gamma_p (1 + gamma_q)) ||A||^2 ||x|| <= gamma_{p + q}
 * ||A||^2 ||x|| (Coq: `gamma_sum`); ||A||^2 <= || |W'| ||^2 ||J^||^2. Where S S^T comes in between
 * (structured_jacobian_square), of one head, a path from x to y meets sums of length out_dim, n or k, then d (in
 * S S^T), 2 k + n, then n, n, k and H k: no more than p + q, over the same A A^T. */
typedef struct {
  double radius;   /* >= ||J' - J~||_2 */
  double absolute; /* >= ||J^||_2^2 */
  double product;  /* >= ||fl(J~ x) - J~ x|| / ||x||, and so for J~^T */
  double gram;     /* >= ||fl(J~ J~^T x) - J~ J~^T x|| / ||x||, by two products or structured_jacobian_square */
} jacobian_errors;

/* For a layer that is not zero. Errors: ATTCERT_RESOURCE, the bounds are then +inf or valid. */
attcert_status jacobian_errors_of(jacobian_errors *e, const factored_jacobian *m, attcert_error *err);

#endif
