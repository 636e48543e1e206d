/* The lemmas about views of heads at two moments, and about what lies apart from them; see lemmas.c. */
#include "kernel/layer/attention.h"

#include "head_framing/unwritten_entries_lemmas.acsl"

#include "head/layer_vjp_arrays_lemmas.acsl"
#include "head_framing/view_frame_lemmas.acsl"
