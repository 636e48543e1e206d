/* T7, [Yudin et al.]: the bound at x from the spread of its attention weights,
 *   ||V|| ( ||P|| + ||X|| (2 ||X|| ||A|| + sqrt(n) b) max_i p1 (1 - p1 + p2) ),
 * p1 >= p2 the two largest entries of P_i, b = ||K^T b_Q|| / sqrt(k) (0 in that paper). Proof, S_i = diag(P_i) -
 * P_i P_i^T: row i of J eps is V (sum_j P_ij eps_j) + V X^T S_i (eps g_i) + V X^T S_i X A eps_i; the rows
 * g_i = A x_i + b' have a norm of ||X|| ||A|| + sqrt(n) b at most; and ||S_i|| = max over unit u orthogonal to
 * sqrt(P_i) of sum_j P_ij u_j^2, where u_1^2 <= 1 - p1, so that it is at most p1 (1 - p1) + p2 p1. */
#ifndef ATTCERT_THEORY_DISTRIBUTION_BOUND_H
#define ATTCERT_THEORY_DISTRIBUTION_BOUND_H

#include "theory/ball_table.h"

/* What the bound is made of, for any head (spec/theorems/general_heads.md). */
typedef struct {
  interval value, weights, tokens; /* ||V||, ||P||, ||X|| */
  interval slopes;                 /* max_j ||(g_ij)_i|| + max_i ||(h_ij)_j||; above 2 ||X|| ||A|| + sqrt(n) b */
  interval spread;                 /* max_i p1 (1 - p1 + p2) */
} distribution_head;

void distribution_head_init(distribution_head *d);
void distribution_head_clear(distribution_head *d);

/* value (weights + tokens slopes spread). Uses up slopes. */
void distribution_bound(interval *bound, distribution_head *d, interval_scratch *ws);

/* spread := max(spread, p1 (1 - p1 + p2)) of the n weights at p. */
void distribution_bound_add_row(interval *spread, const interval *p, int n, interval_scratch *ws);

attcert_status distribution_bound_fill(theory_bound *entry, const theory_subject *s, attcert_error *err);

#endif
