/* The lemmas of spec/layer_framing/layer_jacobian_frame_lemmas.acsl, stacked_weights_lemmas.acsl,
 * heads_gradients_lemmas.acsl, stacked_blocks_lemmas.acsl and head_separation_lemmas.acsl, in a file of their own for
 * the reason that lemmas.c gives. */
#include "kernel/layer/attention_layer_head.h"

#include "head_framing/head_separation_lemmas.acsl"

#include "layer_framing/layer_jacobian_frame_lemmas.acsl"

#include "head/stacked_weights_lemmas.acsl"

#include "layer_framing/heads_gradients_lemmas.acsl"
#include "layer_framing/stacked_blocks_lemmas.acsl"
