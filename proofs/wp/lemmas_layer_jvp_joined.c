/* The lemmas of spec/layer_jvp_joined.acsl; see lemmas.c. */
#include "kernel/attention_layer_head.h"

#include "layer_jvp_joined.acsl"
