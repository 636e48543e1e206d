/* The lemmas about a block that is placed in rows of an array. */
#include "kernel/layer/attention_layer_jacobian.h"

#ifdef __FRAMAC__
#include "layer_framing/output_block_frame_lemmas.acsl"
#include "layer_framing/place_block_frame_lemmas.acsl"
#endif
