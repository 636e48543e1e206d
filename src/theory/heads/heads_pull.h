/* Cotangents of queries and keys. */
#ifndef ATTCERT_THEORY_HEADS_HEADS_PULL_H
#define ATTCERT_THEORY_HEADS_HEADS_PULL_H

#include "network/step_enclosure.h"
#include "theory/heads/heads_layer.h"

/* z, a cotangent of the head's entries of a query or key of that token, becomes one of its map's value, `mapped`:
 * turned back, then with s^2 = |u|^2 / p + epsilon, y = gain z / s and u the p normed entries, y - u (u . y) / (p s^2).
 * Norms are of heads alone. */
void heads_pull(interval *z, const heads_path *path, int head, int token, const step_enclosure *mapped,
                interval_scratch *ws);

#endif
