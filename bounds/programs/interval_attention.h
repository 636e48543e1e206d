/* Attention at tokens that are known as intervals only, such as the outputs of a LayerNorm in exact arithmetic. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_INTERVAL_ATTENTION_H
#define ATTCERT_BOUNDS_PROGRAMS_INTERVAL_ATTENTION_H

#include "certify/enclosure/layer_enclosure.h"

/* As layer_enclosure_init, at every X with its entries in x (n x d intervals); clear it with layer_enclosure_clear.
 * Errors: ATTCERT_RESOURCE. */
attcert_status interval_attention_init(layer_enclosure *e, const attcert_layer *layer, const interval *x, int n,
                                       mpfr_prec_t precision, attcert_error *err);

/* out (n x out_dim) contains f(X) = W_O (y_i + b_V) + b_O; the layer has an output projection. Errors:
 * ATTCERT_RESOURCE. */
attcert_status interval_attention_output(interval *out, const attcert_layer *layer, const layer_enclosure *e,
                                         attcert_error *err);

#endif
