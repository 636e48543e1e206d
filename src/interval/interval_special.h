/* Operands that settle a result before any arithmetic: an empty operand gives the empty interval; otherwise a NaN
 * endpoint gives the whole line. In line for the common case, that all endpoints are numbers. */
#ifndef ATTCERT_INTERVAL_INTERVAL_SPECIAL_H
#define ATTCERT_INTERVAL_INTERVAL_SPECIAL_H

#include <stdbool.h>

#include "interval/interval.h"
#include "interval/interval_query.h"

/* The same test for operands with an endpoint that is no number. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    terminates \true;
    assigns *r;
    ensures settled: \result ==> whole(r) || empty{Pre}(a) || empty{Pre}(b);
    ensures untouched: !\result ==> same_ends{Pre, Here}(r) && same_ends{Pre, Here}(a) && same_ends{Pre, Here}(b);
    ensures proper: !\result ==> proper(a) && proper(b); */
bool interval_special_unbounded(interval *r, const interval *a, const interval *b);

/* True: r is set, nothing is left to do. False: r is untouched, and neither operand is empty or has a NaN. */
/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: live(r) && live(a);
    requires alias: r == a || \separated(r, a);
    terminates \true;
    assigns *r;
    ensures settled: \result ==> whole(r) || empty{Pre}(a);
    ensures untouched: !\result ==> same_ends{Pre, Here}(r) && same_ends{Pre, Here}(a);
    ensures proper: !\result ==> proper(a); */
static inline bool interval_special(interval *r, const interval *a) {
  return !interval_is_bounded(a) && interval_special_unbounded(r, a, a);
}

/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    terminates \true;
    assigns *r;
    ensures settled: \result ==> whole(r) || empty{Pre}(a) || empty{Pre}(b);
    ensures untouched: !\result ==> same_ends{Pre, Here}(r) && same_ends{Pre, Here}(a) && same_ends{Pre, Here}(b);
    ensures proper: !\result ==> proper(a) && proper(b); */
static inline bool interval_special2(interval *r, const interval *a, const interval *b) {
  return !(interval_is_bounded(a) && interval_is_bounded(b)) && interval_special_unbounded(r, a, b);
}

#endif
