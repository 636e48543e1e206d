/* The row of one token, whose result counts. */
#ifndef ATTCERT_NETWORK_SELECT_STEP_SELECT_H
#define ATTCERT_NETWORK_SELECT_STEP_SELECT_H

#include "network/network.h"

extern const step_kind step_select; /* of: int, the token */

/* The value itself where it has one row alone. */
int step_select_add(network_builder *b, int value, int token);

#endif
