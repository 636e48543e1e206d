/* Which rows of a network's values its last value depends on: a classifier may look at one token alone. */
#ifndef ATTCERT_NETWORK_NETWORK_NEEDED_H
#define ATTCERT_NETWORK_NETWORK_NEEDED_H

#include "network/network.h"

typedef struct {
  size_t *first; /* [steps + 1]: of a value, its first row below */
  bool *row;     /* of all values */
} network_needed;

/* network_needed_clear is due in every case. Errors: ATTCERT_RESOURCE. */
attcert_status network_needed_init(network_needed *needed, const network_steps *network, attcert_error *err);
void network_needed_clear(network_needed *needed);

/* needed: NULL, all are. */
static inline bool network_needed_row(const network_needed *needed, int value, int row) {
  return needed == NULL || needed->row[needed->first[value] + (size_t)row];
}

#endif
