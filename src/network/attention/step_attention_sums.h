/* Products of deviations where the sum of the perturbation's entries is bounded, sum_k |eta_k| <= r (form_segment.sum):
 * what some entries use of r, others have not. Bounds by norms (step_attention_head.c) hold as well; the smaller one is
 * taken. With a_k the columns of the first factor's such symbols, b_jk of the others',
 *
 *   |A eta . B eta| <= (sum_k |a_k| |eta_k|) (sum_k |b_k| |eta_k|) <= r^2 max_k (w |a_k| + |b_k| / w)^2 / 4, any w > 0,
 *   ||sum_j delta_j B_j eta|| <= r max_k sum_j max |delta_j| |b_jk|,
 *
 * as 4 x y = (x + y)^2 - (x - y)^2, and as a linear function of |eta| is largest at a vertex; over several segments
 * the latter bounds add up, and the first is of one segment alone. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_SUMS_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_SUMS_H

#include "network/attention/step_attention_head.h"

/* Whether the token's layout has such symbols; without, the functions below have nothing to say. */
bool step_attention_sums(const step_attention_token *t);

/* A bound of |e_q . e_kj|, of row `query` and row `key`, entries from of_query, of_key on; infinite: none. */
double step_attention_sums_score(step_attention_token *t, size_t of_query, int key, size_t of_key);

/* Lowers the bounds of sum_j (P'_j - p_j) e_vj of head h, entry by entry and in norm, where t->input is 0. */
void step_attention_sums_values(step_attention_token *t, int h);

#endif
