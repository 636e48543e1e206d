/* What the searches for positive bounds of a margin (robust/margin_back.h) have found, so that the same bounds are
 * evaluated again without searching. Nothing in it is trusted: whatever slopes, sides and multipliers it has, a bound
 * is evaluated with them, and others give a worse one. */
#ifndef ATTCERT_ROBUST_FOUND_H
#define ATTCERT_ROBUST_FOUND_H

#include "attcert.h"

/* Of all differences together: what is larger is not kept. */
enum { ROBUST_FOUND_BYTES = 10 << 20 };

/* Of score_label - score_other: the slopes of a walk (robust/lower_slopes.h), or how open entries are split
 * (robust/split_tree.h). */
typedef struct {
  int other;
  size_t slopes; /* 0: none */
  double *slope; /* [slopes]; not finite: the step chooses */
  size_t nodes;  /* of the tree; 0: none */
  uint16_t *node;
  size_t multipliers;
  uint16_t *multiplier; /* of the leaves, one after the other */
} robust_found_difference;

typedef struct {
  bool narrowed; /* the bounds need narrowed ranges (robust/narrow.h) */
  int count, capacity;
  robust_found_difference *difference; /* [capacity] */
} robust_found;

void robust_found_clear(robust_found *found);

/* One more difference of nothing, valid until the next one. Errors: ATTCERT_RESOURCE. */
attcert_status robust_found_add(robust_found_difference **added, robust_found *found, int other, attcert_error *err);

/* NULL: there is none. `found` may be NULL. */
const robust_found_difference *robust_found_of(const robust_found *found, int other);

uint64_t robust_found_bytes(const robust_found *found);

#endif
