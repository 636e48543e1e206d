/* An attention layer of plain heads as steps, for what goes through steps alone. */
#ifndef ATTCERT_MODEL_LAYER_STEPS_H
#define ATTCERT_MODEL_LAYER_STEPS_H

#include "network/network.h"

/* The layer on n tokens, whose matrices stay the layer's; without an output projection it has the identity for one.
 * Errors: ATTCERT_RESOURCE. network_clear is due in every case. */
attcert_status layer_steps_open(network_steps *network, const attcert_layer *layer, int n, attcert_error *err);

#endif
