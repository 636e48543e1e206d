/* An attention layer of plain heads as steps, for what goes through steps alone. */
#ifndef ATTCERT_MODEL_LAYER_STEPS_H
#define ATTCERT_MODEL_LAYER_STEPS_H

#include "network/attention/attention_heads.h"
#include "network/network.h"

/* The layer on n tokens, whose matrices stay the layer's; without an output projection it has the identity for one.
 * Errors: ATTCERT_RESOURCE. network_clear is due in every case. */
attcert_status layer_steps_open(network_steps *network, const attcert_layer *layer, int n, attcert_error *err);

/* The same of queries from one value, keys and values from another one, which the layer's matrices fit. */
void layer_steps_add(network_builder *b, const attcert_layer *layer, int queries, int keys,
                     const attention_heads *heads);

#endif
