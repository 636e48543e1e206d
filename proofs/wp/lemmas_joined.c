/* The lemmas of spec/layer_joined.acsl; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "layer_joined.acsl"
