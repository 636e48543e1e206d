/* The lemmas of spec/key_covariance_same.acsl and head_state_same.acsl, in a file of their own: the provers need little
 * else for them, and find nothing with more. */
#include "kernel/layer/attention_layer_head.h"

#include "key_covariance_same.acsl"

#include "head_state_same.acsl"
