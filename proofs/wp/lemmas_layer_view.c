/* The lemmas of spec/layer_view.acsl; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "layer_view.acsl"
