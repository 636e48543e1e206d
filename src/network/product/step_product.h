/* The product of two values of the same sides, entry by entry: a gated feed-forward part multiplies its gate so. */
#ifndef ATTCERT_NETWORK_PRODUCT_STEP_PRODUCT_H
#define ATTCERT_NETWORK_PRODUCT_STEP_PRODUCT_H

#include "network/network.h"

extern const step_kind step_product; /* of: nothing */

int step_product_add(network_builder *b, int x, int y);

#endif
