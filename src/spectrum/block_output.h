/* The output of an attention block in intervals, biases included. */
#ifndef ATTCERT_SPECTRUM_BLOCK_OUTPUT_H
#define ATTCERT_SPECTRUM_BLOCK_OUTPUT_H

#include "certify/enclosure/layer_enclosure.h"

typedef struct {
  interval *head; /* [H][n][k]: y_i + b_V */
  interval
      *block; /* [n][out_dim]: W_O of the heads' outputs, one after the other, + b_O; these themselves without W_O */
} spectrum_block_output;

/* Of the layer that e encloses (without b_V and b_O, on which no Jacobian depends). Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_block_output_init(spectrum_block_output *o, const attcert_layer *layer,
                                          const layer_enclosure *e, attcert_error *err);
void spectrum_block_output_clear(spectrum_block_output *o);

#endif
