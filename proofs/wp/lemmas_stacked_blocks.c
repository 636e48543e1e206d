/* The lemmas of spec/stacked_blocks.acsl; see lemmas.c. */
#include "kernel/attention_layer_head.h"

#include "stacked_blocks.acsl"
