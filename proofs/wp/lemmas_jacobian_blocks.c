/* The lemmas about blocks of a layer's Jacobian side by side. */
#include "kernel/layer/attention_layer_jacobian.h"

#ifdef __FRAMAC__
#include "layer_framing/jacobian_blocks_frame_lemmas.acsl"
#endif
