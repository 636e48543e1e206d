/* a / b over the non-zero numbers of b, by the sign of b (IEEE 1788-2015, 10.5.4). */
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_special.h"

#ifdef __FRAMAC__
#include "arithmetic/quotient_range_lemmas.acsl"
#endif

/* One end, x / y. y = 0 is the end of b that the divisors approach: quotients then grow without bound in the direction
 * of rounding, unless x = 0. */
/*@ requires valid: \valid(r) && \valid_read(x) && \valid_read(y);
    requires live: initialised(r) && initialised(x) && initialised(y);
    requires separated: \separated(r, x) && \separated(r, y);
    requires not_nan: !nan(x) && !nan(y);
    requires one_number: number(x) || number(y);
    requires directed: rnd == MPFR_RNDD || rnd == MPFR_RNDU;
    terminates \true;
    assigns *r;
    ensures zero: zero(x) ==> zero(r);
    ensures numbers: number(x) ==> number(y) ==> !zero(y) ==> rounded(r, quo(value(x), value(y)), rnd);
    ensures by_infinity: number(x) ==> infinite(y) ==> zero(r);
    ensures by_zero: !zero(x) ==> zero(y) ==> (rnd == MPFR_RNDD ==> minus_infinity(r)) &&
      (rnd == MPFR_RNDU ==> plus_infinity(r));
    ensures plus_infinity: infinite(x) ==>
      (positive(x) && positive(y)) || (negative(x) && negative(y)) ==> plus_infinity(r);
    ensures minus_infinity: infinite(x) ==>
      (positive(x) && negative(y)) || (negative(x) && positive(y)) ==> minus_infinity(r); */
static void endpoint_div(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd) {
  if (mpfr_zero_p(x)) {
    mpfr_set_zero(r, 1);
  } else if (mpfr_zero_p(y)) {
    mpfr_set_inf(r, rnd == MPFR_RNDD ? -1 : 1);
  } else {
    mpfr_div(r, x, y, rnd);
  }
}

/* b >= 0: a positive end of a is divided by the end of b that moves it inward least, and so on. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires separated: \separated(r, a) && \separated(r, b);
    requires proper: proper(a) && proper(b);
    requires non_negative: !negative(&b->lo[0]);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> y != 0.0 ==> in(r, quo(x, y)); */
static void div_nonnegative(interval *r, const interval *a, const interval *b) {
  endpoint_div(r->lo, a->lo, mpfr_sgn(a->lo) >= 0 ? b->hi : b->lo, MPFR_RNDD);
  /*@ assert lower: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> y != 0.0 ==>
        at_most(&r->lo[0], quo(x, y)); */
  //@ assert kept: same_ends{Pre, Here}(a) && same_ends{Pre, Here}(b);
  endpoint_div(r->hi, a->hi, mpfr_sgn(a->hi) >= 0 ? b->lo : b->hi, MPFR_RNDU);
  /*@ assert upper: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> y != 0.0 ==>
        at_least(&r->hi[0], quo(x, y)); */
}

/* b <= 0: the ends of a change places. */
/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires separated: \separated(r, a) && \separated(r, b);
    requires proper: proper(a) && proper(b);
    requires non_positive: !positive(&b->hi[0]);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> y != 0.0 ==> in(r, quo(x, y)); */
static void div_nonpositive(interval *r, const interval *a, const interval *b) {
  endpoint_div(r->lo, a->hi, mpfr_sgn(a->hi) >= 0 ? b->hi : b->lo, MPFR_RNDD);
  /*@ assert lower: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> y != 0.0 ==>
        at_most(&r->lo[0], quo(x, y)); */
  //@ assert kept: same_ends{Pre, Here}(a) && same_ends{Pre, Here}(b);
  endpoint_div(r->hi, a->lo, mpfr_sgn(a->lo) >= 0 ? b->lo : b->hi, MPFR_RNDU);
  /*@ assert upper: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> y != 0.0 ==>
        at_least(&r->hi[0], quo(x, y)); */
}

/*@ requires valid: \valid(r) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(a) && live(b);
    requires separated: \separated(r, a) && \separated(r, b);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> y != 0.0 ==> in(r, quo(x, y)); */
static void div_separated(interval *r, const interval *a, const interval *b) {
  if (interval_special2(r, a, b)) return;
  if (mpfr_zero_p(b->lo) && mpfr_zero_p(b->hi)) {
    interval_set_empty(r);
  } else if (mpfr_sgn(b->lo) >= 0) {
    div_nonnegative(r, a, b);
  } else if (mpfr_sgn(b->hi) <= 0) {
    div_nonpositive(r, a, b);
  } else if (mpfr_zero_p(a->lo) && mpfr_zero_p(a->hi)) {
    interval_set_zero(r);
  } else {
    interval_set_whole(r);
  }
}

void interval_div(interval *r, const interval *a, const interval *b, interval_scratch *ws) {
  if (interval_is_same(r, a) || interval_is_same(r, b)) {
    div_separated(&ws->q, a, b);
    interval_set(r, &ws->q);
  } else {
    div_separated(r, a, b);
  }
}
