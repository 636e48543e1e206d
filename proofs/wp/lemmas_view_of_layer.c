/* The lemmas of spec/view_of_layer.acsl and spec/entry_outside.acsl; see lemmas.c. */
#include "kernel/head/attention_head.h"

#include "view_of_layer.acsl"

#include "entry_outside.acsl"
