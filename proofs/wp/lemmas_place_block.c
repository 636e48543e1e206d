/* The lemmas about a block that is placed in rows of an array. */
#include "kernel/layer/attention_layer_jacobian.h"

#ifdef __FRAMAC__
#include "output_block_same.acsl"
#include "place_block_same.acsl"
#endif
