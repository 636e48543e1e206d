/* Giving an interval its value; every setter rounds outward to the precision of r. */
#ifndef ATTCERT_INTERVAL_INTERVAL_SET_H
#define ATTCERT_INTERVAL_INTERVAL_SET_H

#include "interval/interval.h"

#ifdef __FRAMAC__
#include "arithmetic/double.acsl"
#include "arithmetic/product_lemmas.acsl"
#endif

/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: live(r) && live(a);
    requires alias: r == a || \separated(r, a);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) ==> in(r, x);
    ensures nan: has_nan(r) <==> has_nan{Pre}(a); */
void interval_set(interval *r, const interval *a);

/* [0, 0]. */
/*@ requires valid: \valid(r);
    requires live: live(r);
    terminates \true;
    assigns *r;
    ensures zero: \forall real x; in(r, x) <==> vanishes(x);
    ensures ends: zero(&r->lo[0]) && zero(&r->hi[0]);
    ensures precision: same_precision{Pre, Here}(r); */
void interval_set_zero(interval *r);

/* [-inf, +inf]: claims nothing. */
/*@ requires valid: \valid(r);
    requires live: live(r);
    terminates \true;
    assigns *r;
    ensures whole: whole(r); */
void interval_set_whole(interval *r);

/*@ requires valid: \valid(r);
    requires live: live(r);
    terminates \true;
    assigns *r;
    ensures empty: empty(r); */
void interval_set_empty(interval *r);

/* [x, x], exact when the precision is at least 53. NaN and the infinities are no real numbers: whole. */
/*@ requires valid: \valid(r);
    requires live: live(r);
    terminates \true;
    assigns *r;
    ensures contains: finite_double(x) ==> in(r, x);
    ensures exact: finite_double(x) ==> least_precision{Pre}(r, 53) ==> \forall real y; in(r, y) ==> vanishes(y - x);
    ensures claims_nothing: !finite_double(x) ==> whole(r); */
void interval_set_d(interval *r, double x);

/* [x, x], exact when the precision is at least 63. */
/*@ requires valid: \valid(r);
    requires live: live(r);
    terminates \true;
    assigns *r;
    ensures contains: in(r, x);
    ensures exact: least_precision{Pre}(r, 63) ==> \forall real y; in(r, y) ==> vanishes(y - x); */
void interval_set_si(interval *r, long x);

/* [x, x], exact when r is at least as precise as x. NaN and the infinities: whole. x may be an endpoint of r. */
/*@ requires valid: \valid(r) && \valid_read(x);
    requires live: live(r) && initialised(x);
    requires alias: x == &r->lo[0] || x == &r->hi[0] || \separated(r, x);
    terminates \true;
    assigns *r;
    ensures contains: number{Pre}(x) ==> in(r, value{Pre}(x));
    ensures exact: number{Pre}(x) ==> least_precision{Pre}(r, precision{Pre}(x)) ==>
      \forall real y; in(r, y) ==> vanishes(y - value{Pre}(x));
    ensures claims_nothing: !number{Pre}(x) ==> whole(r); */
void interval_set_fr(interval *r, mpfr_srcptr x);

#endif
