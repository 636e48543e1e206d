/* The lemmas about views of heads at two moments, and about what lies apart from them; see lemmas.c. */
#include "kernel/layer/attention.h"

#include "fixed_entries.acsl"
#include "layer_vjp_held.acsl"
#include "view_kept.acsl"
