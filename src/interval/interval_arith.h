/* Interval arithmetic: r contains x op y for all x in a, y in b. Results are the tightest at r's precision, except
 * where a comment says otherwise. */
#ifndef ATTCERT_INTERVAL_INTERVAL_ARITH_H
#define ATTCERT_INTERVAL_INTERVAL_ARITH_H

#include "interval/interval.h"

#ifdef __FRAMAC__
#include "arithmetic/product_lemmas.acsl"
#endif

/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: live(r) && live(a);
    requires alias: r == a || \separated(r, a);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) ==> in(r, -x); */
void interval_neg(interval *r, const interval *a);

/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, x + y); */
void interval_add(interval *r, const interval *a, const interval *b);

/* The operands are independent: a - a is [lo - hi, hi - lo]. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, x - y); */
void interval_sub(interval *r, const interval *a, const interval *b);

/* Two multiplications, four when both operands have 0 inside. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b) && \valid(ws);
    requires live: live(r) && live(a) && live(b) && live_scratch(ws);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    requires scratch: \separated(ws, r) && \separated(ws, a) && \separated(ws, b);
    terminates \true;
    assigns *r, *ws;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, prod(x, y)); */
void interval_mul(interval *r, const interval *a, const interval *b, interval_scratch *ws);

/* x^2; tighter than interval_mul(r, a, a). */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid(ws);
    requires live: live(r) && live(a) && live_scratch(ws);
    requires alias: r == a || \separated(r, a);
    requires scratch: \separated(ws, r) && \separated(ws, a);
    terminates \true;
    assigns *r, *ws;
    ensures contains: \forall real x; in{Pre}(a, x) ==> in(r, prod(x, x)); */
void interval_sqr(interval *r, const interval *a, interval_scratch *ws);

/* x / y over y != 0 (IEEE 1788): half a line when 0 is an endpoint of b, whole when it is inside; empty when b is
 * [0, 0]. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b) && \valid(ws);
    requires live: live(r) && live(a) && live(b) && live_scratch(ws);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    requires scratch: \separated(ws, r) && \separated(ws, a) && \separated(ws, b);
    terminates \true;
    assigns *r, *ws;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> y != 0.0 ==> in(r, quo(x, y)); */
void interval_div(interval *r, const interval *a, const interval *b, interval_scratch *ws);

/* x y + z, the product rounded to ws's precision before the sum (faster than mpfr_fma, and as tight in a long sum). */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b) && \valid_read(c) && \valid(ws);
    requires live: live(r) && live(a) && live(b) && live(c) && live_scratch(ws);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b)) && (r == c || \separated(r, c));
    requires scratch: \separated(ws, r) && \separated(ws, a) && \separated(ws, b) && \separated(ws, c);
    terminates \true;
    assigns *r, *ws;
    ensures contains: \forall real x, y, z;
      in{Pre}(a, x) ==> in{Pre}(b, y) ==> in{Pre}(c, z) ==> in(r, prod(x, y) + z); */
void interval_fma(interval *r, const interval *a, const interval *b, const interval *c, interval_scratch *ws);

/* x 2^e; exact when r is as precise as a and no exponent leaves MPFR's range. */
/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: live(r) && live(a);
    requires alias: r == a || \separated(r, a);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) ==> in(r, prod(x, power_of_two(e))); */
void interval_scale_2exp(interval *r, const interval *a, long e);

/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, x <= y ? x : y); */
void interval_min(interval *r, const interval *a, const interval *b);

/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires alias: (r == a || \separated(r, a)) && (r == b || \separated(r, b));
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, x <= y ? y : x); */
void interval_max(interval *r, const interval *a, const interval *b);

#endif
