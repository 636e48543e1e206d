/* The lemmas that lead from the Jacobian-vector product of a head to that of the layer; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "layer_jvp_head.acsl"

#include "layer_jvp_view.acsl"

#include "layer_jvp_of_head.acsl"

#include "layer_jvp_same.acsl"
