#include "certify/engine/certify_ends.h"

#include "linalg/rounding/relative_width.h"

#include <math.h>

void certify_ends_reset(attcert_certificate *c) {
  mpfr_set_zero(c->lower, 1);
  mpfr_set_inf(c->upper, 1);
}

bool certify_ends_are_enclosure(const attcert_certificate *c) {
  return mpfr_number_p(c->lower) && mpfr_lessequal_p(c->lower, c->upper);
}

bool certify_ends_raise_lower(attcert_certificate *c, mpfr_srcptr low) {
  /* NaN is no bound, and an empty interval starts at +inf. */
  if (!mpfr_number_p(low) || !mpfr_lessequal_p(c->lower, low)) return false;
  mpfr_set(c->lower, low, MPFR_RNDD);
  return true;
}

bool certify_ends_lower_upper(attcert_certificate *c, mpfr_srcptr upper) {
  if (!mpfr_less_p(upper, c->upper)) return false;
  mpfr_set(c->upper, upper, MPFR_RNDU);
  return true;
}

/* An estimate above the upper end is refuted: the image that certifies the lower end is the better one. */
/*@ requires valid: \valid(c);
    requires live: live_ends(c);
    requires lower: lower_end(c);
    requires bounds: \exists real s; ends_hold(c, s);
    terminates \true;
    assigns c->estimate;
    ensures estimate: finite_double(c->estimate) ==> at_least(&c->upper[0], c->estimate); */
static void correct_estimate(attcert_certificate *c) {
  if (isnan(c->estimate) || mpfr_cmp_d(c->upper, c->estimate) < 0) c->estimate = mpfr_get_d(c->lower, MPFR_RNDD);
}

void certify_ends_update(attcert_certificate *c, double tolerance) {
  correct_estimate(c);
  //@ assert order: plus_infinity(&c->upper[0]) || (number(&c->upper[0]) && value(&c->lower[0]) <= value(&c->upper[0]));
  c->relative_width = relative_width(c->lower, c->upper);
  c->tolerance_met = tolerance <= 0.0 || c->relative_width <= tolerance;
}
