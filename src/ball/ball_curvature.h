/* How fast the Jacobian of a head can change: a bound T(tau) of its second derivative over the ball of radius tau
 * about X. For every X' of that ball and all unit U, F, E, of which E moves only what may move,
 *     |U . D^2 f(X')[E, F]| <= T(tau),     hence, for the whole layer and every X' in the ball of radius r,
 *     ||D_X' f|| <= ||D_X f|| + root (integral from 0 to r of the heads' sum of T),
 * by the mean value theorem along the segment from X to X': ||X' - X||_F <= root r, where root is 1 in the sequence's
 * ball and the square root of the number of moving tokens in the tokens' (ball_upper.h evaluates the integral).
 *
 * One head; V stands for W_h V and v_j for W_h v_j. A = K^T Q / sqrt(k), g_i = K^T q_i / sqrt(k),
 * h_j = Q^T k_j / sqrt(k), w_ij = v_j - y_i, hbar_i = sum_m P_im h_m, c_ij = delta_j - P_i. With the linear forms
 *     phi_ij(F) = sum_m c_ijm (g_i . f_m) + (h_j - hbar_i) . f_i,     sum_j P_ij phi_ij = 0,
 * the first derivative is D y_i[F] = sum_j P_ij (V f_j + w_ij phi_ij(F)), and the second
 *     D^2 y_i[E, F] = sum_j P_ij ( V e_j phi_ij(F) + V f_j phi_ij(E)                  (a)
 *                                + w_ij (e_j . A f_i + f_j . A e_i)                   (b)
 *                                + w_ij phi_ij(E) phi_ij(F) ).                        (c)
 * Proof: a score s_ij = x_j . A x_i + ... has the derivatives g_i . f_j + h_j . f_i and e_j . A f_i + f_j . A e_i; a
 * mean m(z) = sum_j P_ij z_j has the derivative m(z') + m((z - m(z)) s'). So (a) is the covariance of V e and s'(F) and
 * of V f and s'(E), (b) that of v and s'', (c) the third central moment of v, s'(E), s'(F).
 *
 * For unit U, E, F, with M(F)_ij = P_ij phi_ij(F):
 *  (a) sum_i u_i . sum_j P_ij V e_j phi_ij(F) = sum_j V e_j . sum_i M_ij u_i <= ||V|| ||M(F)||. As |a . M(F) b| <=
 *      |b| ||(sum_i a_i P_ij phi_ij)_j|| and <= |a| ||(sum_j b_j P_ij phi_ij)_i||, ||M(F)||^2 is at most the norm of
 *      either Gram matrix: sum_j P_ij P_lj phi_ij . phi_lj over i, l, or sum_i P_ij P_im phi_ij . phi_im over j, m.
 *  (b) With C_ij = P_ij w_ij . u_i: |sum_ij C_ij e_j . A f_i| <= ||A|| ||C||_F, ||C||_F <= max_i ||(P_ij w_ij)_j||.
 *  (c) With b_ij >= P_ij |w_ij| and Phi_i the rows sqrt(b_ij) phi_ij, Phi all of them: by Cauchy-Schwarz over j, then
 *      over i, it is at most sum_i |u_i| |Phi_i E| |Phi_i F| <= max_i ||Phi_i|| ||Phi||. ||Phi_i||^2 <= N_ii and
 *      ||Phi||^2 <= rho(N), N_il = ||Phi_i Phi_l^T||_F = (sum_jm b_ij b_lm (phi_ij . phi_lm)^2)^{1/2}.
 * (a) and (b) are two sums each; in one of them the form, or u's token i, and in the other the token j is restricted to
 * what moves. In (c) either factor is.
 *
 * At X' = X + E in the ball (primes) all of these change; for row i:
 *   t_ij = |phi_ij(E)| + ||A|| |e_i| |sum_m c_ijm e_m| bounds the centred change of s_ij. P'_ij / P_ij is between
 *       e^{-t_ij} / Z_i and e^{t_ij} / Z_i, where 1 <= Z_i by Jensen's inequality and Z_i <= Zb_i = 1 +
 *       sum_m P_im (e^t_im - 1 - t_im), as sum_m P_im t_im = 0 for the changes themselves. So P'_ij >= P_ij e^{-t} / Zb
 *       and |P'_ij - P_ij| <= P_ij eta_ij, eta = max(e^t - 1, 1 - e^{-t} / Zb).
 *   w'_ij - w_ij = V (e_j - sum_m P'_im e_m) - sum_m (P'_im - P_im) w_im is at most
 *       D_ij = ||V|| a_ij + sum_m P_im eta_im |w_im|,     a_ij >= |e_j - sum_m P'_im e_m|.
 *   phi'_ij - phi_ij has the parts c'_ijm A e_i - (P'_im - P_im) g_i at all m, and at m = i
 *       A^T (e_j - sum_m P'_im e_m) - sum_m (P'_im - P_im) (h_m - hbar_i), together at most
 *       Delta_ij = ||A|| |e_i| |c'_ij| + |g_i| (sum_m P_im^2 eta_im^2)^{1/2} + ||A|| a_ij
 *                  + sum_m P_im eta_im |h_m - hbar_i|.
 *   Hence M_ij changes by at most P_ij eta_ij ||phi_ij|| + P'_ij Delta_ij and P_ij w_ij by
 *   P_ij eta_ij |w_ij| + P'_ij D_ij; in (c), with b_ij >= P'_ij (|w_ij| + D_ij) and xi_i^2 = sum_j b_ij Delta_ij^2, the
 *   norm of Phi_i changes by xi_i at most, and that of Phi by (sum_i xi_i^2)^{1/2}.
 *
 * Proved in Coq (proofs/coq): `ball_curvature`, that the sizes of ball_geometry.h give T(tau), with the numbers of
 * ball_change.c as written here, and `ball_growth` and `concatenated_ball_growth`, the growth of the layer's norm. That
 * rests on the derivatives, `jacobian_times_by_slopes` and `second_derivative_is_derivative`; (a), (b) and (c),
 * `curvature_terms_bounded`, and the norms at X from Gram matrices, `mixed_by_gram`, `product_by_gram` and
 * `stack_norm_le`; t_ij and the weights, `centred_change_le`, `weight_displaced` and `weight_change_le`; |phi_ij(E)|,
 * |e_i| |sum_m c_ijm e_m|, a_ij and |c'_ij| over the ball, region_change.v; D and Delta, `value_deviation_change_le`
 * and `slope_change_le`; the norms at X', norm_change.v. That the C code evaluates these formulas, rounded outward, is
 * reading and tests. */
#ifndef ATTCERT_BALL_BALL_CURVATURE_H
#define ATTCERT_BALL_BALL_CURVATURE_H

#include "ball/ball_change.h"

/* Scratch of ball_curvature for heads of n tokens; [n][n] each where nothing else is said. */
typedef struct {
  mpfr_ptr numbers; /* the storage of what follows */
  ball_changes changes;
  mpfr_ptr mass; /* b_ij */
  mpfr_ptr work;
  mpfr_ptr change; /* [n]: xi_i */
  double *matrix, *scaled;
} ball_curvature_scratch;

/* Errors: ATTCERT_RESOURCE; ball_curvature_scratch_clear is due in any case. */
attcert_status ball_curvature_scratch_init(ball_curvature_scratch *s, int n, attcert_error *err);
void ball_curvature_scratch_clear(ball_curvature_scratch *s);

/* bound >= T(tau) for tau >= 0; +inf where numbers leave MPFR's range. Errors: ATTCERT_RESOURCE. */
attcert_status ball_curvature(mpfr_ptr bound, const ball_geometry *g, double tau, ball_curvature_scratch *s,
                              attcert_error *err);

#endif
