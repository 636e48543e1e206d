/* The lemmas of spec/head/layer_view_lemmas.acsl; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "head/layer_view_lemmas.acsl"
