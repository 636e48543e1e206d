/* The lemmas of spec/jacobian_rows_kept.acsl and sources_outside.acsl: see spec/jacobian_blocks_kept.acsl for why they
 * are apart. */
#include "kernel/layer/attention_layer_jacobian.h"

#include "jacobian_rows_kept.acsl"

#include "sources_outside.acsl"
