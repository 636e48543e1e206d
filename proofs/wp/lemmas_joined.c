/* The lemmas of spec/layer/concatenated_output_lemmas.acsl; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "layer/concatenated_output_lemmas.acsl"
