/* The lemmas about blocks of a layer's Jacobian side by side. */
#include "kernel/layer/attention_layer_jacobian.h"

#ifdef __FRAMAC__
#include "jacobian_blocks_same.acsl"
#endif
