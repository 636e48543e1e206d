/* The lemmas of spec/head/view_of_layer_lemmas.acsl and spec/head_framing/entry_separation_lemmas.acsl; see
 * lemmas.c. */
#include "kernel/head/attention_head.h"

#include "head/view_of_layer_lemmas.acsl"

#include "head_framing/entry_separation_lemmas.acsl"
