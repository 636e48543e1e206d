/* The lemmas of spec/layer/head_size_lemmas.acsl, layer_separation_lemmas.acsl and layer_forward_frame_lemmas.acsl, in
 * a file of their own: beside the sums of offsets of lemmas_layer.c provers find neither. */
#include "kernel/layer/attention_layer_head.h"

#include "layer/head_size_lemmas.acsl"

#include "layer_framing/layer_separation_lemmas.acsl"

#include "layer_framing/layer_forward_frame_lemmas.acsl"
