/* A layer of any heads at one input, in intervals: queries, keys, values, and the weights of a head. */
#ifndef ATTCERT_THEORY_HEADS_HEADS_INPUT_H
#define ATTCERT_THEORY_HEADS_HEADS_INPUT_H

#include "network/step_enclosure.h"
#include "theory/heads/heads_layer.h"

typedef struct {
  const heads_layer *layer;
  step_enclosure *value;         /* of the steps before the attention, [attention + 1] */
  step_enclosure weights, slope; /* of a head: P, 0 where a row does not attend, and c'(s_ij) */
} heads_input;

/* Errors: ATTCERT_RESOURCE; heads_input_clear is due in every case. */
attcert_status heads_input_init(heads_input *in, const heads_layer *layer, const attcert_matrix *x, attcert_error *err);
void heads_input_clear(heads_input *in);

/* Bytes that it takes. */
uint64_t heads_input_bytes(const heads_layer *layer);

/* weights and slope := those of head h. */
void heads_input_set_head(heads_input *in, int h);

/* largest := max_j sum_i P_ij of that head. */
void heads_input_column_sum(interval *largest, const heads_input *in);

#endif
