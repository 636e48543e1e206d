/* Giving an interval its value, rounded outward. */
#include "interval/interval_set.h"

#include <math.h>

#include "interval/endpoint.h"

void interval_set(interval *r, const interval *a) {
  mpfr_set(r->lo, a->lo, MPFR_RNDD);
  mpfr_set(r->hi, a->hi, MPFR_RNDU);
}

void interval_set_zero(interval *r) {
  mpfr_set_zero(r->lo, 1);
  mpfr_set_zero(r->hi, 1);
}

void interval_set_whole(interval *r) {
  mpfr_set_inf(r->lo, -1);
  mpfr_set_inf(r->hi, 1);
}

void interval_set_empty(interval *r) {
  mpfr_set_inf(r->lo, 1);
  mpfr_set_inf(r->hi, -1);
}

void interval_set_d(interval *r, double x) {
  if (!isfinite(x)) {
    interval_set_whole(r);
  } else if (mpfr_set_d(r->lo, x, MPFR_RNDD) == 0) {
    mpfr_set(r->hi, r->lo, MPFR_RNDU); /* exact: a copy costs a sixth of a conversion */
  } else {
    mpfr_set_d(r->hi, x, MPFR_RNDU);
  }
}

void interval_set_si(interval *r, long x) {
  mpfr_set_si(r->lo, x, MPFR_RNDD);
  mpfr_set_si(r->hi, x, MPFR_RNDU);
}

void interval_set_fr(interval *r, mpfr_srcptr x) {
  if (!endpoint_is_number(x)) {
    interval_set_whole(r);
    return;
  }
  mpfr_set(r->lo, x, MPFR_RNDD);
  mpfr_set(r->hi, x, MPFR_RNDU);
}
