/* The lemmas of spec/layer_jacobian_same.acsl, stack_part.acsl, heads_gradients.acsl, stacked_blocks.acsl and
 * head_outside.acsl, in a file of their own for the reason that lemmas.c gives. */
#include "kernel/layer/attention_layer_head.h"

#include "head_outside.acsl"

#include "layer_jacobian_same.acsl"

#include "stack_part.acsl"

#include "heads_gradients.acsl"
#include "stacked_blocks.acsl"
