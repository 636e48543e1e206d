/* The lemmas about the vector-Jacobian product; see lemmas.c. */
#include "kernel/head/attention_head.h"

#include "head_vjp_same.acsl"
#include "vjp_same.acsl"
