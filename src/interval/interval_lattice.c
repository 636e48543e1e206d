/* Hull and intersection. Both treat special operands as the sets they are: nothing to add, or nothing to exclude. */
#include "interval/interval_lattice.h"

#include "interval/interval_query.h"
#include "interval/interval_set.h"

void interval_hull(interval *r, const interval *a, const interval *b) {
  if (interval_is_empty(a)) {
    interval_set(r, b);
  } else if (interval_is_empty(b)) {
    interval_set(r, a);
  } else if (interval_has_nan(a) || interval_has_nan(b)) {
    interval_set_whole(r);
  } else {
    mpfr_min(r->lo, a->lo, b->lo, MPFR_RNDD);
    mpfr_max(r->hi, a->hi, b->hi, MPFR_RNDU);
  }
}

/* Emptiness is decided before rounding, which could make the ends meet. */
void interval_intersect(interval *r, const interval *a, const interval *b) {
  if (interval_disjoint(a, b)) {
    interval_set_empty(r);
  } else if (interval_has_nan(a)) {
    interval_set(r, b);
  } else if (interval_has_nan(b)) {
    interval_set(r, a);
  } else {
    mpfr_max(r->lo, a->lo, b->lo, MPFR_RNDD);
    mpfr_min(r->hi, a->hi, b->hi, MPFR_RNDU);
  }
}
