/* Two values side by side: the columns of one after those of the other, row by row. */
#ifndef ATTCERT_NETWORK_JOIN_STEP_JOIN_H
#define ATTCERT_NETWORK_JOIN_STEP_JOIN_H

#include "network/network.h"

extern const step_kind step_join; /* no parameters */

/* Of values with as many rows. */
int step_join_add(network_builder *b, int x, int y);

#endif
