/* The gradient in X of phi(X) = <c, J(X) u> for fixed u and c.
 *
 * With c = J u / ||J u|| it is the gradient of ||J(X) u||, and where u is the top singular vector that of
 * ||J(X)||_2 (Hellmann - Feynman: the singular vectors' own change does not count to first order).
 *
 * Derivation, by reverse mode, for one head; the other heads and W_O only sum. C = the head's cotangents (n x k),
 * notation of worst_attention.h. dQ, dK, dV do not depend on X. Put D = C dV^T and E = C V^T (n x n); row i contributes
 *
 *   phi_i = sum_j P_ij D_ij + cov_i(dS_i, E_i),   cov_i(a, e) = sum_j P_ij (a_j - mean_i a)(e_j - mean_i e),
 *
 * where mean_i is the mean under P_i. The softmax's derivative is L_i(r)_j = P_ij (r_j - mean_i r), symmetric; hence
 *
 *   d phi / d dS_i = L_i(E_i),   d phi / d E_i = L_i(dS_i),
 *   d phi / d P_ij = R_ij + a constant of the row,   R_ij = D_ij + (dS_ij - mean_i dS)(E_ij - mean_i E),
 *   d phi / d S_i = L_i(R_i),
 *
 * and, through dS = (dQ K^T + Q dK^T) / sqrt(k), S = Q K^T / sqrt(k) and E = C V^T,
 *
 *   d phi / d Q = (L(E) dK + L(R) K) / sqrt(k),   d phi / d K = (L(E)^T dQ + L(R)^T Q) / sqrt(k),
 *   d phi / d V = L(dS)^T C,
 *
 * which Q = X W_Q^T + b_Q, K and V carry back to X. */
#ifndef ATTCERT_SEARCH_WORST_GRADIENT_H
#define ATTCERT_SEARCH_WORST_GRADIENT_H

#include "search/worst_attention.h"

/* gradient (n x d) of <c, J u> at the last input that a evaluated; u is n x d, c is
 * n x out_dim. a->scale does not count. */
void worst_gradient(double *gradient, worst_attention *a, const double *u, const double *c);

#endif
