/* The lemmas of spec/layer/concatenated_jvp_lemmas.acsl and spec/layer_framing/jvp_columns_frame_lemmas.acsl; see
 * lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "layer/concatenated_jvp_lemmas.acsl"

#include "layer_framing/jvp_columns_frame_lemmas.acsl"
