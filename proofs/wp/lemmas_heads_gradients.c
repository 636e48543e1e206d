/* The lemmas of spec/heads_gradients.acsl; see lemmas.c. */
#include "kernel/attention_layer_head.h"

#include "heads_gradients.acsl"
