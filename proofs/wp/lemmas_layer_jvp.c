/* The lemmas that lead from the Jacobian-vector product of a head to that of the layer; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "head/layer_jvp_arrays_lemmas.acsl"

#include "head/layer_jvp_view_lemmas.acsl"

#include "head/layer_jvp_of_head_lemmas.acsl"

#include "layer_framing/layer_jvp_frame_lemmas.acsl"
