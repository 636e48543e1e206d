/* Union (its hull) and intersection of intervals as sets. */
#ifndef ATTCERT_INTERVAL_INTERVAL_LATTICE_H
#define ATTCERT_INTERVAL_INTERVAL_LATTICE_H

#include "interval/interval.h"

/* The smallest interval that holds a and b; an empty operand adds nothing. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) || in{Pre}(b, x) ==> in(r, x); */
void interval_hull(interval *r, const interval *a, const interval *b);

/* The numbers in both; empty when there is none. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) && in{Pre}(b, x) ==> in(r, x);
    ensures empty: (\forall real x; !(in{Pre}(a, x) && in{Pre}(b, x))) ==> empty(r);
    ensures nan: has_nan(r) ==> has_nan{Pre}(a) && has_nan{Pre}(b); */
void interval_intersect(interval *r, const interval *a, const interval *b);

#endif
