/* The residual sum x_0 + x_1. */
#ifndef ATTCERT_NETWORK_SUM_STEP_SUM_H
#define ATTCERT_NETWORK_SUM_STEP_SUM_H

#include "network/network.h"

extern const step_kind step_sum;

int step_sum_add(network_builder *b, int x, int y);

#endif
