/* The lemmas that lead from the vector-Jacobian product of a head to that of the layer; see lemmas.c. */
#include "kernel/head/attention_head.h"

#include "head/layer_vjp_sum_lemmas.acsl"

/* Last, since they are proved from the sums. */
#include "head/layer_vjp_of_head_lemmas.acsl"
#include "matrix/row_exchange_lemmas.acsl"
