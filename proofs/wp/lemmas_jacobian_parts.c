/* The lemmas of spec/layer_jacobian_parts.acsl; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "layer_jacobian_parts.acsl"
