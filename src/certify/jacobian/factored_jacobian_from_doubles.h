/* A factored Jacobian from double arithmetic: the numbers that a forward pass in double gives, with radii that cover
 * its roundings, bounded before they happen. As fast as the forward pass; the radii are some hundred units in the last
 * place, where intervals in MPFR (factored_jacobian_from_enclosure.h) leave half a unit.
 *
 * gamma_m is the bound of m roundings (rounding.h); norms are l2, Frobenius for matrices; ^ denotes what is computed,
 * r(x) a bound of ||x^ - x||. With A = |x_i| and inner products in chunks of c = 64 terms, the chunks added one after
 * the other:
 *     q_i, k_j, v_j     r = gamma_{c + d/c + 3} (||x_i|| ||W|| + ||b||), by Cauchy's inequality in every entry
 *     s_ij = q_i . k_j / sqrt(k)
 *                       r(s_i) = (r(q_i) K + (||q^_i|| + r(q_i)) r(K) + gamma_{k+4} ||q^_i|| K) / sqrt(k),
 *                       K = max_j ||k^_j||, r(K) = max_j r(k_j): the same for all j
 *     e_ij = exp(s^_ij - max_l s^_il), rounded correctly by MPFR: relative error at most
 *                       delta_i = t (1 + t) + 4 u,   t = r(s_i) + 746 u <= 2^-10 (below exp(-746) all is underflow)
 *     P_ij = e_ij / sum_l e_il, at most n + 2 more roundings:
 *                       |P^_ij - P_ij| <= eta_i P^_ij + 2^-600,
 *                       eta_i = a + gamma_{n+3} (1 + a),   a = 2 delta_i (1 + 3 delta_i)
 *     y_i = sum_j P_ij v_j:
 *                       r(y_i) = (eta_i + gamma_n) sum_j P^_ij ||v^_j|| + (1 + eta_i) max_j r(v_j)
 *     w_ij = P_ij (v_j - y_i), D = ||fl(v^_j - y^_i)||, r(D) = r(v_j) + r(y_i) + u D:
 *                       r(w_ij) = r(P_ij) (D + r(D)) + P^_ij (r(D) + u D)
 *     g_i = W_K^T q_i / sqrt(k)
 *                       r(g_i) = (r(q_i) + gamma_{k+4} ||q^_i||) ||W_K|| / sqrt(k)
 *     kappa_j = (k_j - c) / sqrt(k), c any vector of doubles:
 *                       r(kappa_j) = r(k_j) / sqrt(k) + gamma_6 ||kappa^_j||.
 * Where a token attends to itself alone, P = 1 and w = 0 are exact. Inputs between 2^-100 and 2^100 in their largest
 * entries keep all of this away from overflow, and what underflows is below the 2^-600 that every radius is given.
 *
 * Then all is scaled by powers of two. kappa, g and their radii are divided by at most 2^400: 2^-1000 of a radius's
 * allowance is left, a normal number above the d^{1/2} 2^-1075 that scaling g or kappa loses. w and its radii may be
 * divided by more, and underflow: what is lost of a block is then below 2^-1074 ||g_i|| < 2^-1000, which the 2^-600
 * that factored_jacobian_radius adds a block covers, and below 2^-1074 r(g_i), where 2^-537 r(g_i) is counted, as a
 * norm that is computed is at least 2^-537 (linalg/rounding/rounding.h). */
#ifndef ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_FROM_DOUBLES_H
#define ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_FROM_DOUBLES_H

#include "certify/jacobian/factored_jacobian.h"

/* *usable: m is set; false, and m empty, where magnitudes or scores are out of the range above. Errors:
 * ATTCERT_RESOURCE. */
attcert_status factored_jacobian_from_doubles(factored_jacobian *m, bool *usable, const attcert_layer *layer,
                                              const attcert_matrix *x, int threads, attcert_error *err);

#endif
