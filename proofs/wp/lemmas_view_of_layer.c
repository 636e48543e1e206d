/* The lemmas of spec/view_of_layer.acsl; see lemmas.c. */
#include "kernel/attention_head.h"

#include "view_of_layer.acsl"
