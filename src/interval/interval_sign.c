/* -a and |a|. */
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_special.h"

/* Infinities and NaN change sign like numbers, so that empty stays empty and whole whole. */
void interval_neg(interval *r, const interval *a) {
  if (interval_is_same(r, a)) {
    mpfr_swap(r->lo, r->hi); /* the two share one precision, and in a vector one block */
    mpfr_neg(r->lo, r->lo, MPFR_RNDD);
    mpfr_neg(r->hi, r->hi, MPFR_RNDU);
  } else {
    mpfr_neg(r->lo, a->hi, MPFR_RNDD);
    mpfr_neg(r->hi, a->lo, MPFR_RNDU);
  }
}

void interval_abs(interval *r, const interval *a) {
  if (interval_special(r, a)) return;
  if (mpfr_sgn(a->lo) >= 0) {
    interval_set(r, a);
  } else if (mpfr_sgn(a->hi) <= 0) {
    interval_neg(r, a);
  } else {
    mpfr_abs(r->hi, mpfr_cmpabs(a->lo, a->hi) > 0 ? a->lo : a->hi, MPFR_RNDU);
    mpfr_set_zero(r->lo, 1);
  }
}
