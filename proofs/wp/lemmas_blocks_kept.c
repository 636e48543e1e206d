/* The lemmas of spec/jacobian_blocks_kept.acsl, in a file of their own for the reason given there. */
#include "kernel/layer/attention_layer_jacobian.h"

#include "jacobian_blocks_kept.acsl"
