/* The lemmas of spec/layer_framing/key_covariance_frame_lemmas.acsl and head_state_frame_lemmas.acsl, in a file of
 * their own: the provers need little else for them, and find nothing with more. */
#include "kernel/layer/attention_layer_head.h"

#include "layer_framing/key_covariance_frame_lemmas.acsl"

#include "layer_framing/head_state_frame_lemmas.acsl"
