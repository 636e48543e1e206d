/* ||A|| of scores whose queries and keys turn. */
#ifndef ATTCERT_THEORY_HEADS_HEADS_TURNED_H
#define ATTCERT_THEORY_HEADS_HEADS_TURNED_H

#include "interval/interval.h"
#include "theory/heads/heads_layer.h"

/* norm, at least ||K|| ||Q||, becomes at least max ||(R K)^T Q|| over the rotations R by the offsets of the keys that
 * rows of head h attend to, where queries and keys turn alike and one norm an offset takes seconds; else it stays.
 * Errors: ATTCERT_RESOURCE. */
attcert_status heads_turned_norm(interval *norm, const heads_layer *layer, int h, attcert_error *err);

#endif
