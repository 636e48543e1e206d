/* Certified upper bound of the largest eigenvalue of a Gram matrix G that is too large to factorise, from an
 * approximate eigenbasis: the theorem and its proof are in spec/theorems/deflation.md, in short:
 *
 * Let Q have s columns, and let B (symmetric, s x s), U (N x s) be any matrices. With Pi the
 * projection on the range of Q,
 *     E = (I - Pi) G (I - Pi) = (I - Pi) F (I - Pi),      F = G + Q U^T + U Q^T,
 * since (I - Pi) Q = 0. So any b with  lambda_max(F) <= b  bounds G off the range of Q; U ~ Q B / 2 - G Q makes F close
 * to E. Now let t > b, x = Q a + r of norm 1 with r off the range, R = G Q - Q B. Then r^T G Q a = r^T R a, and
 *     x^T G x <= a^T Q^T G Q a + 2 |r| |R a| + b |r|^2 <= a^T (Q^T G Q + R^T R / (t - b)) a + t |r|^2,
 * by 2 p q <= p^2 / (t - b) + (t - b) q^2. As 1 = |Q a|^2 + |r|^2 and
 * |a|^2 <= |Q a|^2 / (1 - delta), delta >= ||Q^T Q - I||_2:
 *     lambda_max(G) <= max(t, h / (1 - delta)),      h >= lambda_max(Q^T G Q + R^T R / (t - b)),  h >= 0
 * (Coq: `deflation`, and from what is computed below `computed_deflation`).
 * For b, F is split into the diagonal blocks F_ii of its tokens and the rest:
 *     b = max_i lambda_max(F_ii) + sqrt(||F||_F^2 - sum_i ||F_ii||_F^2), or ||F||_F if that is less (Coq:
 *     `diagonal_blocks`),
 *     ||F||_F^2 = ||G||_F^2 + 4 <U, G Q> + 2 tr(Q^T Q U^T U) + 2 tr((Q^T U)^2)      (Coq: `deflated_frobenius`).
 *
 * What is computed instead, ^ denoting it, and by how much it is off, in Frobenius norms (GEMM's error model:
 * proofs/TRUST.md; what underflows: linalg/rounding/rounding.h; Coq: `product_frobenius`, `basis_form`,
 * `residual_form`):
 *     Y^ = G Q + D       ||D|| <= e_Y = product_error ||Q||
 *     A^ = fl(Q^T Y^)    off Q^T G Q by  gamma_N ||Q|| ||Y^|| + sqrt(1 + delta) e_Y;  B is its symmetric part, one
 *                        addition: with 4 u ||B|| more that is e_A
 *     R^ = fl(Y^ - Q B)  off R by  e_R = e_Y + gamma_s ||Q|| ||B|| + 2 u ||R^||
 *     S^ = fl(R^^T R^)   off R^T R by  e_S = 2 ||R^|| e_R + e_R^2 + gamma_{N+c+1} ||R^||^2, c chunks
 *     U  = fl(Q B / 2 - Y^)  whatever it is;   C^ = fl(Q^T U)  off by gamma_N ||Q|| ||U||
 *     F^_ii              G^_ii and 2 s products in some order, at most 2 s + 1 roundings, of which the upper triangle
 *                        is kept: off by  2^{1/2} gamma_{2s+1} (||G^_ii|| + 2 ||Q_i|| ||U_i||) + ||G^_ii - G_ii||
 *                        (Coq: `inner_product`, `upper_triangle`), for which 2 gamma_{2s+4} (...) stands; the last term
 *                        is gram_error in the spectral norm, block^{1/2} times that in the Frobenius norm. */
#ifndef ATTCERT_LINALG_EIGENVALUE_DEFLATION_H
#define ATTCERT_LINALG_EIGENVALUE_DEFLATION_H

#include "attcert.h"

/* What is known of G (N x N, N = tokens block): spectral norms where nothing else is said. */
typedef struct {
  int tokens, block;
  const double *diagonal; /* [tokens][block][block]: G^_ii */
  double frobenius;       /* >= ||G^||_F */
  double gram_error;      /* >= ||G^ - G|| */
  double product_error;   /* >= ||fl(G x) - G x|| / ||x|| for the products below */
} gram_facts;

/* upper >= lambda_max(G). q, y: s rows of N doubles, the columns of Q and what was computed as G times them; y is
 * overwritten. Any q is valid; +inf when it is far from orthonormal. Errors: ATTCERT_RESOURCE. */
attcert_status deflation_upper(mpfr_t upper, const gram_facts *g, const double *q, double *y, int s,
                               attcert_error *err);

#endif
