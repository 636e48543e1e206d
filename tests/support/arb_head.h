/* One attention head in Arb balls, written from the definition of the layer alone (no code of the library is used):
 *   q_i = Q x_i + b_Q,  k_j = K x_j + b_K,  v_j = V x_j + b_V,
 *   P_ij = exp(q_i . k_j / sqrt(k)) / sum_m exp(q_i . k_m / sqrt(k)) over the unmasked m,  y_i = sum_j P_ij v_j. */
#ifndef ATTCERT_TESTS_SUPPORT_ARB_HEAD_H
#define ATTCERT_TESTS_SUPPORT_ARB_HEAD_H

#include "attcert.h"
#include <arb_mat.h>

typedef struct {
  slong n, dim, head_dim;
  arb_mat_t query_weight, key_weight, value_weight; /* k x d, exact */
  arb_mat_t x;                                      /* n x d, exact */
  arb_mat_t q, k, v, y;                             /* n x k */
  arb_mat_t p;                                      /* n x n; exact zeros where masked */
} arb_head;

/* Head h of the layer at x, every operation rounded to `precision` bits. */
void arb_head_init(arb_head *head, const attcert_layer *layer, const attcert_matrix *x, int h, slong precision);
void arb_head_clear(arb_head *head);

/* Number of tokens that token i attends to: n, or i + 1 under the causal mask. */
slong arb_head_attended_keys(const attcert_layer *layer, slong n, slong i);

/* rows x cols exact balls from row-major doubles. */
void arb_mat_set_doubles(arb_mat_t a, const double *values);

#endif
