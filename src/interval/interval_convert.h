/* From intervals to doubles and single numbers, always on the safe side. */
#ifndef ATTCERT_INTERVAL_CONVERT_H
#define ATTCERT_INTERVAL_CONVERT_H

#include "interval/interval.h"

/* The largest double <= every x in a: -inf when a is unbounded below, or below every double; +inf when a is empty. */
/*@ requires \valid_read(a);
    assigns \nothing;
    ensures lower: \is_finite(\result) ==> \forall real x; in(a, x) ==> (real)\result <= x;
    ensures empty: \is_plus_infinity(\result) ==> empty(a); */
double interval_get_d_lower(const interval *a);

/* The smallest double >= every x in a: +inf when a is unbounded above, or above every double; -inf when a is empty. */
/*@ requires \valid_read(a);
    assigns \nothing;
    ensures upper: \is_finite(\result) ==> \forall real x; in(a, x) ==> x <= (real)\result;
    ensures empty: \is_minus_infinity(\result) ==> empty(a); */
double interval_get_d_upper(const interval *a);

/* |x - mid| <= rad for every x in a: mid is always finite; rad covers the rounding of the midpoint and is rounded up.
 * mid = 0, rad = +inf when a is empty or unbounded, or when no finite double would do. */
/*@ requires \valid(mid) && \valid(rad) && \valid_read(a) && \valid(ws) && \separated(mid, rad, a, ws);
    assigns *mid, *rad, *ws;
    ensures finite: \is_finite(*mid);
    ensures covers: \is_finite(*rad) ==> \forall real x; in{Pre}(a, x) ==> \abs(x - (real)*mid) <= (real)*rad; */
void interval_get_midrad(double *mid, double *rad, const interval *a, interval_scratch *ws);

/* max |x| over a, rounded up; NaN when a is empty. r must not be an endpoint of a. */
/*@ requires \valid(r) && \valid_read(a) && \separated(r, a);
    assigns *r;
    ensures above: number(r) ==> \forall real x; in(a, x) ==> \abs(x) <= value(r); */
void interval_mag(mpfr_ptr r, const interval *a);

/* min |x| over a, rounded down; NaN when a is empty. r must not be an endpoint of a. */
/*@ requires \valid(r) && \valid_read(a) && \separated(r, a);
    assigns *r;
    ensures below: number(r) ==> \forall real x; in(a, x) ==> value(r) <= \abs(x); */
void interval_mig(mpfr_ptr r, const interval *a);

#endif
