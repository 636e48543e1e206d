/* a + b = [lo_a + lo_b, hi_a + hi_b] and a - b = [lo_a - hi_b, hi_a - lo_b]. Infinite endpoints never cancel: the lower
 * end of an interval that holds a number is not +inf, its upper end not -inf. */
#include "interval/interval_arith.h"
#include "interval/interval_special.h"

void interval_add(interval *r, const interval *a, const interval *b) {
  if (interval_special2(r, a, b)) return;
  mpfr_add(r->lo, a->lo, b->lo, MPFR_RNDD);
  mpfr_add(r->hi, a->hi, b->hi, MPFR_RNDU);
}

/* Each end of the difference needs the other end of b, so that an aliased b is negated (exactly) before it is
 * overwritten. */
void interval_sub(interval *r, const interval *a, const interval *b) {
  if (interval_special2(r, a, b)) return;
  if (interval_is_same(r, b) && a == b) {
    mpfr_sub(r->hi, r->hi, r->lo, MPFR_RNDU);
    //@ assert width: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> at_least(&r->hi[0], x - y);
    mpfr_neg(r->lo, r->hi, MPFR_RNDD);
    //@ assert symmetric: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, x - y);
  } else if (interval_is_same(r, b)) {
    interval_neg(r, b);
    //@ assert negated: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(a, x) && in(r, -y);
    interval_add(r, a, r);
    //@ assert sum: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, x - y);
  } else {
    mpfr_sub(r->lo, a->lo, b->hi, MPFR_RNDD);
    //@ assert lower: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> at_most(&r->lo[0], x - y);
    mpfr_sub(r->hi, a->hi, b->lo, MPFR_RNDU);
    //@ assert apart: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, x - y);
  }
}
