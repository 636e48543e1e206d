/* The lemmas of spec/layer_framing/jacobian_rows_frame_lemmas.acsl and source_separation_lemmas.acsl: see
 * spec/layer_framing/jacobian_blocks_write_lemmas.acsl for why they are apart. */
#include "kernel/layer/attention_layer_jacobian.h"

#include "layer_framing/jacobian_rows_frame_lemmas.acsl"

#include "layer_framing/source_separation_lemmas.acsl"
