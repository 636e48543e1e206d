/* The lemma of spec/head_framing/attention_frame_lemmas.acsl; see lemmas.c. */
#include "head_framing/attention_frame_lemmas.acsl"
