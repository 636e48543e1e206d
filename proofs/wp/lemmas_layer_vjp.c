/* The lemmas that lead from the vector-Jacobian product of a head to that of the layer; see lemmas.c. */
#include "kernel/head/attention_head.h"

#include "layer_vjp_sums.acsl"

/* Last, since they are proved from the sums. */
#include "layer_vjp_of_head.acsl"
#include "row_exchange.acsl"
