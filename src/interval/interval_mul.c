/* a b, the extreme products of endpoints, chosen by the signs (IEEE 1788; Moore): a factor that is >= 0 or <= 0 leaves
 * one candidate for each end, so that two products do. Only when both have 0 inside are there two candidates each. */
#include "interval/endpoint.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_special.h"

#ifdef __FRAMAC__
#include "arithmetic/product_range_lemmas.acsl"
#endif

/* a >= 0: lo_b times the end of a that makes it least, and hi_b times the end that makes it most. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires separated: \separated(r, a) && \separated(r, b);
    requires proper: proper(a) && proper(b);
    requires non_negative: !negative(&a->lo[0]);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, prod(x, y)); */
static void mul_nonnegative(interval *r, const interval *a, const interval *b) {
  endpoint_mul(r->lo, mpfr_sgn(b->lo) >= 0 ? a->lo : a->hi, b->lo, MPFR_RNDD);
  //@ assert lower: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> at_most(&r->lo[0], prod(x, y));
  //@ assert kept: same_ends{Pre, Here}(a) && same_ends{Pre, Here}(b);
  endpoint_mul(r->hi, mpfr_sgn(b->hi) >= 0 ? a->hi : a->lo, b->hi, MPFR_RNDU);
  //@ assert upper: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> at_least(&r->hi[0], prod(x, y));
}

/* a <= 0: the ends of b change places. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires separated: \separated(r, a) && \separated(r, b);
    requires proper: proper(a) && proper(b);
    requires non_positive: !positive(&a->hi[0]);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, prod(x, y)); */
static void mul_nonpositive(interval *r, const interval *a, const interval *b) {
  endpoint_mul(r->lo, mpfr_sgn(b->hi) >= 0 ? a->lo : a->hi, b->hi, MPFR_RNDD);
  //@ assert lower: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> at_most(&r->lo[0], prod(x, y));
  //@ assert kept: same_ends{Pre, Here}(a) && same_ends{Pre, Here}(b);
  endpoint_mul(r->hi, mpfr_sgn(b->lo) >= 0 ? a->hi : a->lo, b->lo, MPFR_RNDU);
  //@ assert upper: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> at_least(&r->hi[0], prod(x, y));
}

/* lo_a < 0 < hi_a and lo_b < 0 < hi_b: the products of unlike ends are negative, those of like ends positive. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b) && \valid(t);
    requires live: live(r) && live(a) && live(b) && initialised(t);
    requires separated: \separated(r, t) && \separated(r, a) && \separated(r, b) && \separated(t, a) &&
                        \separated(t, b);
    requires proper: proper(a) && proper(b);
    requires straddling: negative(&a->lo[0]) && positive(&a->hi[0]) && negative(&b->lo[0]) && positive(&b->hi[0]);
    terminates \true;
    assigns *r, *t;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, prod(x, y)); */
static void mul_straddling(interval *r, const interval *a, const interval *b, mpfr_ptr t) {
  mpfr_mul(r->lo, a->lo, b->hi, MPFR_RNDD);
  mpfr_mul(t, a->hi, b->lo, MPFR_RNDD);
  mpfr_min(r->lo, r->lo, t, MPFR_RNDD);
  //@ assert lower: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> at_most(&r->lo[0], prod(x, y));
  //@ assert kept: same_ends{Pre, Here}(a) && same_ends{Pre, Here}(b);
  mpfr_mul(r->hi, a->lo, b->lo, MPFR_RNDU);
  //@ assert left: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> x <= 0.0 ==> at_least(&r->hi[0], prod(x, y));
  mpfr_mul(t, a->hi, b->hi, MPFR_RNDU);
  //@ assert right: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> 0.0 <= x ==> at_least(t, prod(x, y));
  /*@ assert either: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==>
        at_least(&r->hi[0], prod(x, y)) || at_least(t, prod(x, y)); */
  //@ ghost Products:;
  mpfr_max(r->hi, r->hi, t, MPFR_RNDU);
  /*@ assert greatest: \forall real e; at_least{Products}(&r->hi[0], e) || at_least{Products}(t, e) ==>
        at_least(&r->hi[0], e); */
  //@ assert upper: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> at_least(&r->hi[0], prod(x, y));
}

/* The product when r is neither operand. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b) && \valid(t);
    requires live: live(r) && live(a) && live(b) && initialised(t);
    requires separated: \separated(r, t) && \separated(r, a) && \separated(r, b) && \separated(t, a) &&
                        \separated(t, b);
    terminates \true;
    assigns *r, *t;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, prod(x, y)); */
static void mul_separated(interval *r, const interval *a, const interval *b, mpfr_ptr t) {
  if (interval_special2(r, a, b)) return;
  //@ assert kept: \forall real x; (in{Pre}(a, x) ==> in(a, x)) && (in{Pre}(b, x) ==> in(b, x));
  if (mpfr_sgn(a->lo) >= 0) {
    mul_nonnegative(r, a, b);
  } else if (mpfr_sgn(a->hi) <= 0) {
    mul_nonpositive(r, a, b);
  } else if (mpfr_sgn(b->lo) >= 0) {
    mul_nonnegative(r, b, a);
    //@ assert exchanged: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, prod(y, x));
  } else if (mpfr_sgn(b->hi) <= 0) {
    mul_nonpositive(r, b, a);
    //@ assert exchanged: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, prod(y, x));
  } else {
    mul_straddling(r, a, b, t);
  }
}

void interval_mul(interval *r, const interval *a, const interval *b, interval_scratch *ws) {
  if (interval_is_same(r, a) || interval_is_same(r, b)) {
    mul_separated(&ws->q, a, b, ws->t);
    interval_set(r, &ws->q);
  } else {
    mul_separated(r, a, b, ws->t);
  }
}

void interval_fma(interval *r, const interval *a, const interval *b, const interval *c, interval_scratch *ws) {
  mul_separated(&ws->q, a, b, ws->t);
  //@ assert kept: \forall real z; in{Pre}(c, z) ==> in(c, z);
  interval_add(r, &ws->q, c);
}
