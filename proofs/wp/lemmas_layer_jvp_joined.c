/* The lemmas of spec/layer_jvp_joined.acsl and spec/layer_jvp_columns.acsl; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "layer_jvp_joined.acsl"

#include "layer_jvp_columns.acsl"
