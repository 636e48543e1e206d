/* From intervals to doubles and single numbers, always on the safe side. */
#ifndef ATTCERT_INTERVAL_INTERVAL_CONVERT_H
#define ATTCERT_INTERVAL_INTERVAL_CONVERT_H

#include "interval/interval.h"

#ifdef __FRAMAC__
#include "arithmetic/double.acsl"
#endif

/* The largest double <= every x in a: -inf when a is unbounded below, or below every double; +inf when a is empty. */
/*@ requires valid: \valid_read(a);
    requires live: live(a);
    terminates \true;
    assigns \nothing;
    ensures lower: finite_double(\result) ==> \forall real x; in(a, x) ==> \result <= x;
    ensures above_all: plus_infinity_double(\result) ==> empty(a);
    ensures not_nan: !nan_double(\result); */
double interval_get_d_lower(const interval *a);

/* The smallest double >= every x in a: +inf when a is unbounded above, or above every double; -inf when a is empty. */
/*@ requires valid: \valid_read(a);
    requires live: live(a);
    terminates \true;
    assigns \nothing;
    ensures upper: finite_double(\result) ==> \forall real x; in(a, x) ==> x <= \result;
    ensures below_all: minus_infinity_double(\result) ==> empty(a);
    ensures not_nan: !nan_double(\result); */
double interval_get_d_upper(const interval *a);

/* |x - mid| <= rad for every x in a: mid is always finite; rad covers the rounding of the midpoint and is rounded up.
 * mid = 0, rad = +inf when a is empty or unbounded, or when no finite double would do. */
/*@ requires valid: \valid(mid) && \valid(rad) && \valid_read(a) && \valid(ws);
    requires live: live(a) && live_scratch(ws);
    requires separated: \separated(mid, rad, a, ws);
    terminates \true;
    assigns *mid, *rad, *ws;
    ensures finite: finite_double(*mid);
    ensures covers: finite_double(*rad) ==> \forall real x; in{Pre}(a, x) ==> \abs(x - *mid) <= *rad;
    ensures not_nan: !nan_double(*rad) && !minus_infinity_double(*rad); */
void interval_get_midrad(double *mid, double *rad, const interval *a, interval_scratch *ws);

/* max |x| over a, rounded up; NaN when a is empty. r must not be an endpoint of a. */
/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: initialised(r) && live(a);
    requires separated: \separated(r, a);
    terminates \true;
    assigns *r;
    ensures above: number(r) ==> \forall real x; in(a, x) ==> \abs(x) <= value(r);
    ensures not_below: !minus_infinity(r);
    ensures empty: nan(r) <==> empty(a); */
void interval_mag(mpfr_ptr r, const interval *a);

#endif
