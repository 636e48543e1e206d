/* T6 of a head of any kind (spec/theorems/general_heads.md): with the vectors g_ij and h_ij of the scores' derivatives,
 *   sqrt( max_j sum_i P_ij alpha_i^2 ) + max_i beta_i,    beta_i = || sum_j P_ij (v_j - y_i) h_ij^T ||,
 *   alpha_i^2 = lambda_max( sum_j P_ij (V + (v_j - y_i) g_ij^T) (V + (v_j - y_i) g_ij^T)^T ). */
#ifndef ATTCERT_THEORY_HEADS_HEADS_POINTWISE_H
#define ATTCERT_THEORY_HEADS_HEADS_POINTWISE_H

#include "theory/heads/heads_input.h"

/* NULL, or why it is not evaluated. */
const char *heads_pointwise_refusal(const heads_layer *layer);

/* The bound of head h, whose weights are set. Errors: ATTCERT_RESOURCE. */
attcert_status heads_pointwise(interval *bound, const heads_input *in, int h, int threads, attcert_error *err);

#endif
