/* The attention of a layer in plain double through BLAS: the map of attcert_layer, as kernel/layer/attention.h defines
 * it, fast enough to run a whole model up to the layer that is certified. */
#ifndef ATTCERT_ATTENTION_BLOCK_H
#define ATTCERT_ATTENTION_BLOCK_H

#include "attcert.h"

/* y (n x out_dim) = f(x), x is n x dim; y is allocated by the caller and does not overlap x. */
attcert_status attention_block(attcert_matrix *y, const attcert_layer *layer, const attcert_matrix *x,
                               attcert_error *err);

#endif
