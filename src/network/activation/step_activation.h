/* An activation function or tanh, entry by entry. */
#ifndef ATTCERT_NETWORK_ACTIVATION_STEP_ACTIVATION_H
#define ATTCERT_NETWORK_ACTIVATION_STEP_ACTIVATION_H

#include "network/network.h"

extern const step_kind step_activation; /* of: the range_curve */

int step_activation_add(network_builder *b, int value, const range_curve *curve);

#endif
