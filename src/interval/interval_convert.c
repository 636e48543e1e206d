/* From intervals to doubles and single numbers. mpfr_get_d rounds as asked, subnormals included. */
#include "interval/interval_convert.h"

#include <math.h>

#include "interval/interval_query.h"

#ifdef __FRAMAC__
#include "interval/interval_member_lemmas.acsl"
#endif

double interval_get_d_lower(const interval *a) {
  return interval_has_nan(a) ? -INFINITY : mpfr_get_d(a->lo, MPFR_RNDD);
}

double interval_get_d_upper(const interval *a) {
  return interval_has_nan(a) ? INFINITY : mpfr_get_d(a->hi, MPFR_RNDU);
}

/* Any mid would do, so nothing is promised; this one is the middle up to rounding. */
/*@ requires valid: \valid_read(a) && \valid(t) && \separated(a, t);
    requires live: live(a) && initialised(t);
    terminates \true;
    assigns *t;
    ensures precision: precision(t) == precision{Pre}(t); */
static double near_middle(const interval *a, mpfr_ptr t) {
  mpfr_add(t, a->lo, a->hi, MPFR_RNDN);
  mpfr_div_2ui(t, t, 1, MPFR_RNDN);
  return mpfr_get_d(t, MPFR_RNDN);
}

/* rad >= max(hi - mid, mid - lo). */
void interval_get_midrad(double *mid, double *rad, const interval *a, interval_scratch *ws) {
  const double middle = interval_is_bounded(a) ? near_middle(a, ws->t) : INFINITY;
  if (!isfinite(middle)) {
    *mid = 0.0;
    *rad = INFINITY;
    return;
  }
  mpfr_sub_d(ws->t, a->hi, middle, MPFR_RNDU);
  const double above = mpfr_get_d(ws->t, MPFR_RNDU);
  mpfr_d_sub(ws->t, middle, a->lo, MPFR_RNDU);
  const double below = mpfr_get_d(ws->t, MPFR_RNDU);
  *mid = middle;
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
