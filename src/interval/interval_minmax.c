/* min and max are increasing in both operands: end by end. NaN is settled first, as mpfr_min and mpfr_max ignore it. */
#include "interval/interval_arith.h"
#include "interval/interval_special.h"

void interval_min(interval *r, const interval *a, const interval *b) {
  if (interval_special2(r, a, b)) return;
  mpfr_min(r->lo, a->lo, b->lo, MPFR_RNDD);
  mpfr_min(r->hi, a->hi, b->hi, MPFR_RNDU);
}

void interval_max(interval *r, const interval *a, const interval *b) {
  if (interval_special2(r, a, b)) return;
  mpfr_max(r->lo, a->lo, b->lo, MPFR_RNDD);
  mpfr_max(r->hi, a->hi, b->hi, MPFR_RNDU);
}
