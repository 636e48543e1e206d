/* From intervals to doubles and single numbers. mpfr_get_d rounds as asked, subnormals included. */
#include "interval/interval_convert.h"

#include <math.h>

#include "interval/interval_query.h"
#include "interval/interval_set.h"

double interval_get_d_lower(const interval *a) {
  return interval_has_nan(a) ? -INFINITY : mpfr_get_d(a->lo, MPFR_RNDD);
}

double interval_get_d_upper(const interval *a) {
  return interval_has_nan(a) ? INFINITY : mpfr_get_d(a->hi, MPFR_RNDU);
}

/* Any mid would do; this one is the middle up to rounding. */
static double near_middle(const interval *a, mpfr_ptr t) {
  mpfr_add(t, a->lo, a->hi, MPFR_RNDN);
  mpfr_div_2ui(t, t, 1, MPFR_RNDN);
  return mpfr_get_d(t, MPFR_RNDN);
}

/* rad >= max(hi - mid, mid - lo). mid is enclosed, so that nothing depends on the scratch's holding it exactly. */
void interval_get_midrad(double *mid, double *rad, const interval *a, interval_scratch *ws) {
  *mid = interval_is_bounded(a) ? near_middle(a, ws->t) : 0.0;
  if (!interval_is_bounded(a) || !isfinite(*mid)) {
    *mid = 0.0;
    *rad = INFINITY;
    return;
  }
  interval_set_d(&ws->q, *mid);
  mpfr_sub(ws->t, a->hi, ws->q.lo, MPFR_RNDU);
  const double above = mpfr_get_d(ws->t, MPFR_RNDU);
  mpfr_sub(ws->t, ws->q.hi, a->lo, MPFR_RNDU);
  const double below = mpfr_get_d(ws->t, MPFR_RNDU);
  *rad = above > below ? above : below;
}

void interval_mag(mpfr_ptr r, const interval *a) {
  if (interval_is_empty(a)) {
    mpfr_set_nan(r);
  } else if (interval_has_nan(a)) {
    mpfr_set_inf(r, 1);
  } else {
    mpfr_abs(r, mpfr_cmpabs(a->lo, a->hi) > 0 ? a->lo : a->hi, MPFR_RNDU);
  }
}

void interval_mig(mpfr_ptr r, const interval *a) {
  if (interval_is_empty(a)) {
    mpfr_set_nan(r);
  } else if (interval_contains_zero(a)) {
    mpfr_set_zero(r, 1);
  } else {
    mpfr_abs(r, mpfr_cmpabs(a->lo, a->hi) > 0 ? a->hi : a->lo, MPFR_RNDD);
  }
}
