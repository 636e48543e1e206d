/* a^2: from the square of the end nearer to 0 (0 itself when it is inside) to the square of the farther end. */
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_special.h"

#ifdef __FRAMAC__
#include "arithmetic/product_range_lemmas.acsl"
#endif

/* mpfr_mul, not mpfr_sqr: at 128 bits MPFR 4.2 takes 17 ns for the one and 25 ns for the other. */
/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: live(r) && live(a);
    requires separated: \separated(r, a);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) ==> in(r, prod(x, x)); */
static void sqr_separated(interval *r, const interval *a) {
  if (interval_special(r, a)) return;
  const bool lower_is_farther = mpfr_cmpabs(a->lo, a->hi) > 0;
  mpfr_srcptr farther = lower_is_farther ? a->lo : a->hi, nearer = lower_is_farther ? a->hi : a->lo;
  /*@ assert farther: \forall real x; in{Pre}(a, x) ==> proper(a) && in(a, x) &&
        (number(farther) ==> \abs(x) <= \abs(value(farther))); */
  /*@ assert nearer: \forall real x; in{Pre}(a, x) ==> !in(a, 0.0) ==>
        number(nearer) && \abs(value(nearer)) <= \abs(x); */
  if (interval_contains_zero(a)) {
    mpfr_set_zero(r->lo, 1);
  } else {
    mpfr_mul(r->lo, nearer, nearer, MPFR_RNDD);
  }
  //@ assert lower: \forall real x; in{Pre}(a, x) ==> at_most(&r->lo[0], prod(x, x));
  mpfr_mul(r->hi, farther, farther, MPFR_RNDU);
  //@ assert upper: \forall real x; in{Pre}(a, x) ==> at_least(&r->hi[0], prod(x, x));
}

void interval_sqr(interval *r, const interval *a, interval_scratch *ws) {
  if (interval_is_same(r, a)) {
    sqr_separated(&ws->q, a);
    interval_set(r, &ws->q);
  } else {
    sqr_separated(r, a);
  }
}
