/* The lemmas of spec/layer_framing/jacobian_blocks_write_lemmas.acsl, in a file of their own for the reason given
 * there. */
#include "kernel/layer/attention_layer_jacobian.h"

#include "layer_framing/jacobian_blocks_write_lemmas.acsl"
