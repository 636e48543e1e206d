/* The lemmas of spec/head_size.acsl, layer_outside.acsl and layer_forward_same.acsl, in a file of their own: beside the
 * sums of offsets of lemmas_layer.c provers find neither. */
#include "kernel/layer/attention_layer_head.h"

#include "head_size.acsl"

#include "layer_outside.acsl"

#include "layer_forward_same.acsl"
