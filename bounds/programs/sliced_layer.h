/* What becomes of a layer when its weights, stored (in, out) as GPT-2's are, are read as if they were stored (out, in):
 * its heads are then maps that the model does not have. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_SLICED_LAYER_H
#define ATTCERT_BOUNDS_PROGRAMS_SLICED_LAYER_H

#include "attcert.h"

/* sliced: fresh, row r of its query (key, value) weight is row r of the stored d x d matrix (in, out), so column r of
 * the layer's own weight; biases and W_O are the layer's. H k = d. Errors: ATTCERT_INPUT (H k is not d),
 * ATTCERT_RESOURCE. */
attcert_status sliced_layer_init(attcert_layer *sliced, const attcert_layer *layer, attcert_error *err);

#endif
