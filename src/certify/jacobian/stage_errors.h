/* What rounding does to products with J~, stage by stage: what one stage gets wrong goes through the norms of the
 * others, not of their absolute values, as in jacobian_errors.h, which are larger by the root of a side each. Takes a
 * Gram matrix of W' and six squares of it, which pay where products with J~ are many. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_STAGE_ERRORS_H
#define ATTCERT_CERTIFY_JACOBIAN_STAGE_ERRORS_H

#include "certify/jacobian/jacobian_errors.h"

/* Of head h, with rho >= ||P||_2, omega^2 = sum_i ||w_i||_F^2 ||g_i||^2, c >= ||C_i||_F, nu >= ||V'||_2 and kappa >=
 * ||Q'||_2 bound
 *     sigma_h = rho nu + omega + c kappa >= ||J~^h||_2,     phi_h = rho ||V'||_F + omega + c ||Q'||_F,
 * and sigma, phi the roots of the sums of their squares over the heads; tau >= ||W'||_2, tau = 1 without W'.
 *
 * A sum of products whose terms take p roundings is off by gamma_p of itself in absolute values (Coq:
 * `rounded_expression`), and | |A| |x| |_2 <= ||A||_F ||x||. Forward, p_1, p_2, p_3 the stages (structured_jacobian.h):
 * values and own are off by gamma_p1 ||V'||_F ||x|| and gamma_p1 ||Q'||_F ||x||, the weights of token i by gamma_p1
 * ||g_i|| ||x||, which the heads make at most gamma_p1 phi ||x|| of; what they are given is at most (1 + gamma_p1) in
 * these norms, so that
 *     epsilon = gamma_p1 phi + gamma_p2 (sigma + gamma_p1 phi),
 *     e = tau epsilon + gamma_p3 ||W'||_F (sigma + epsilon)        (e = epsilon without W').
 * Transposed, q_1, q_2, q_3 the stages: c = W'^T y is off by gamma_q1 ||W'||_F ||y|| and at most theta ||y||, theta =
 * tau + gamma_q1 ||W'||_F; what head h collects of its part c^h is off by gamma_q2 rho ||c^h||, gamma_q2 c ||c^h|| and,
 * for token i, gamma_q2 ||w_i||_F ||c^h_i||, which V'^T, Q'^T and the g_i make at most gamma_q2 sigma_h ||c^h|| of, as
 * sum_i ||w_i||_F ||g_i|| ||c^h_i|| <= omega ||c^h||; the last sums are off by gamma_q3 of at most (1 + gamma_q2) phi_h
 * ||c^h||; and sum_h a_h ||c^h|| <= (sum_h a_h^2)^(1/2) ||c||:
 *     f = sigma gamma_q1 ||W'||_F + theta (gamma_q2 sigma + gamma_q3 (1 + gamma_q2) phi)
 * (without W' the first summand is left out, and theta = 1). Both one after the other:
 *     ||fl(J~ J~^T x) - J~ J~^T x|| <= (e (tau sigma + f) + tau sigma f) ||x||.
 * `product` is max(e, f), `gram` the last one, not for structured_jacobian_square of a matrix that is prepared;
 * `radius` is that of jacobian_errors_of, and `absolute` +inf: it is not looked at. For a layer that is not zero.
 * Errors: ATTCERT_RESOURCE, the bounds are then +inf or valid. */
attcert_status stage_errors_of(jacobian_errors *errors, const factored_jacobian *m, int threads, attcert_error *err);

#endif
