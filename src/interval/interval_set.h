/* Giving an interval its value; every setter rounds outward to the precision of r. */
#ifndef ATTCERT_INTERVAL_SET_H
#define ATTCERT_INTERVAL_SET_H

#include "interval/interval.h"

/*@ requires \valid(r) && \valid_read(a) && (r == a || \separated(r, a));
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) ==> in(r, x); */
void interval_set(interval *r, const interval *a);

/* [0, 0]. */
/*@ requires \valid(r);
    assigns *r;
    ensures zero: \forall real x; in(r, x) <==> x == 0.0; */
void interval_set_zero(interval *r);

/* [-inf, +inf]: claims nothing. */
/*@ requires \valid(r);
    assigns *r;
    ensures whole: whole(r); */
void interval_set_whole(interval *r);

/*@ requires \valid(r);
    assigns *r;
    ensures empty: empty(r); */
void interval_set_empty(interval *r);

/* [x, x], exact when the precision is at least 53. NaN and the infinities are no real numbers: whole. */
/*@ requires \valid(r);
    assigns *r;
    ensures contains: \is_finite(x) ==> in(r, (real)x);
    ensures claims_nothing: !\is_finite(x) ==> whole(r); */
void interval_set_d(interval *r, double x);

/* [x, x], exact when the precision is at least 63. */
/*@ requires \valid(r);
    assigns *r;
    ensures contains: in(r, (real)x); */
void interval_set_si(interval *r, long x);

/* [x, x], exact when r is at least as precise as x. NaN and the infinities: whole. x may be an endpoint of r. */
/*@ requires \valid(r) && \valid_read(x);
    assigns *r;
    ensures contains: number{Pre}(x) ==> in(r, value{Pre}(x));
    ensures claims_nothing: !number{Pre}(x) ==> whole(r); */
void interval_set_fr(interval *r, mpfr_srcptr x);

#endif
