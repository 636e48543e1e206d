/* The lemmas of spec/layer/layer_jacobian_terms_lemmas.acsl; see lemmas.c. */
#include "kernel/layer/attention_layer_head.h"

#include "layer/layer_jacobian_terms_lemmas.acsl"
