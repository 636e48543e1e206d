/* The lemmas about the vector-Jacobian product; see lemmas.c. */
#include "kernel/head/attention_head.h"

#include "head_framing/head_vjp_frame_lemmas.acsl"
#include "head_framing/vjp_frame_lemmas.acsl"

#include "head_framing/head_jvp_row_frame_lemmas.acsl"
