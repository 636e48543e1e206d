/* The parts of a network's derivative, with bounds of their norms and of what products with them miss. */
#ifndef ATTCERT_NETWORK_NETWORK_LINEAR_PARTS_H
#define ATTCERT_NETWORK_NETWORK_LINEAR_PARTS_H

#include "network/network_linear.h"

/* l->part, which has room for one a step, := parts that end where several values come together. Errors:
 * ATTCERT_RESOURCE. */
attcert_status network_linear_find_parts(network_linear *l, attcert_error *err);

/* Norms and errors of all parts, from those of the steps; *bits_missing: whether more bits in these would help. Errors:
 * ATTCERT_RESOURCE. */
attcert_status network_linear_bound_parts(bool *bits_missing, network_linear *l, attcert_error *err);

#endif
