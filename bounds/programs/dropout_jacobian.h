/* The Jacobian of one head of attention whose weights pass through dropout, for a fixed drawing. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_DROPOUT_JACOBIAN_H
#define ATTCERT_BOUNDS_PROGRAMS_DROPOUT_JACOBIAN_H

#include "jacobian_norm.h"

/* Probability 1/10, GPT-2's attn_pdrop: weight (i, j), at i n + j, is kept when kept[i n + j] is true. Seeded. */
void dropout_draw(bool *kept, int n, uint64_t seed);

/* y_i = sum_j m_ij P_ij (v_j + b_V), m_ij = 10/9 where kept and 0 elsewhere (torch.nn.functional.dropout in training
 * mode):
 *   J_il = P_il ( m_il V + (m_il (v_l + b_V) - y_i) g_i^T ) + delta_il sum_j P_ij (m_ij (v_j + b_V) - y_i) h_j^T.
 * head: one head without W_O; e: that head at x. j is made here, and cleared by the caller even after an error. Errors:
 * ATTCERT_RESOURCE. */
attcert_status dropout_jacobian(jacobian_midpoint *j, const attcert_layer *head, const layer_enclosure *e,
                                const bool *kept, attcert_error *err);

#endif
