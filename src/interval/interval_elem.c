/* Increasing functions, end by end, with MPFR's correctly rounded evaluation. An end of a outside the domain is
 * replaced by the function's value, or limit, at the domain's end. */
#include "interval/interval_elem.h"

#include "interval/interval_set.h"
#include "interval/interval_special.h"

void interval_sqrt(interval *r, const interval *a) {
  if (interval_special(r, a)) return;
  if (mpfr_sgn(a->hi) < 0) {
    interval_set_empty(r);
    return;
  }
  if (mpfr_sgn(a->lo) <= 0) {
    mpfr_set_zero(r->lo, 1);
  } else {
    mpfr_sqrt(r->lo, a->lo, MPFR_RNDD);
  }
  //@ assert lower: \forall real x; in{Pre}(a, x) ==> 0.0 <= x ==> at_most(&r->lo[0], rroot(x));
  mpfr_sqrt(r->hi, a->hi, MPFR_RNDU);
  //@ assert upper: \forall real x; in{Pre}(a, x) ==> 0.0 <= x ==> at_least(&r->hi[0], rroot(x));
  //@ assert both: \forall real x; in{Pre}(a, x) ==> 0.0 <= x ==> in(r, rroot(x));
}

void interval_exp(interval *r, const interval *a) {
  if (interval_special(r, a)) return;
  mpfr_exp(r->lo, a->lo, MPFR_RNDD);
  mpfr_exp(r->hi, a->hi, MPFR_RNDU);
}

void interval_log(interval *r, const interval *a) {
  if (interval_special(r, a)) return;
  if (mpfr_sgn(a->hi) <= 0) {
    interval_set_empty(r);
    return;
  }
  if (mpfr_sgn(a->lo) <= 0) {
    mpfr_set_inf(r->lo, -1);
  } else {
    mpfr_log(r->lo, a->lo, MPFR_RNDD);
  }
  //@ assert lower: \forall real x; in{Pre}(a, x) ==> 0.0 < x ==> at_most(&r->lo[0], rlog(x));
  mpfr_log(r->hi, a->hi, MPFR_RNDU);
  //@ assert upper: \forall real x; in{Pre}(a, x) ==> 0.0 < x ==> at_least(&r->hi[0], rlog(x));
}
