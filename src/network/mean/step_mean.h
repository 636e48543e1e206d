/* The mean of the rows from one on, as heads have it that pool tokens. */
#ifndef ATTCERT_NETWORK_MEAN_STEP_MEAN_H
#define ATTCERT_NETWORK_MEAN_STEP_MEAN_H

#include "network/network.h"

extern const step_kind step_mean; /* of: int, the first row; at least one row follows it or is it */

int step_mean_add(network_builder *b, int value, int first);

#endif
