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
