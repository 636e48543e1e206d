/* The lemmas of spec/layer_forward.acsl and of offsets among rows, proved here and not in lemmas.c: the lemmas of one
 * file lead the provers astray in the other. */
#include "kernel/layer/attention_layer_head.h"

/* Last, for the same reason; the order is that of the proof. */
#include "row_plus.acsl"

#include "row_of_rows.acsl"
