/* Questions about intervals. MPFR's comparison predicates are false when an operand is NaN. */
#include "interval/interval_query.h"

#include <math.h>

static bool is_inf_of_sign(mpfr_srcptr x, int sign) {
  return mpfr_inf_p(x) && mpfr_sgn(x) == sign;
}

bool interval_is_empty(const interval *a) {
  if (interval_has_nan(a)) return false;
  return is_inf_of_sign(a->lo, 1) || is_inf_of_sign(a->hi, -1) || mpfr_greater_p(a->lo, a->hi);
}

bool interval_is_whole(const interval *a) {
  return interval_has_nan(a) || (is_inf_of_sign(a->lo, -1) && is_inf_of_sign(a->hi, 1));
}

bool interval_contains_zero(const interval *a) {
  if (interval_has_nan(a)) return true;
  return mpfr_sgn(a->lo) <= 0 && mpfr_sgn(a->hi) >= 0;
}

bool interval_contains_fr(const interval *a, mpfr_srcptr x) {
  if (!endpoint_is_number(x)) return false;
  if (interval_has_nan(a)) return true;
  return mpfr_lessequal_p(a->lo, x) && mpfr_lessequal_p(x, a->hi);
}

bool interval_contains_d(const interval *a, double x) {
  if (!isfinite(x)) return false;
  if (interval_has_nan(a)) return true;
  return mpfr_cmp_d(a->lo, x) <= 0 && mpfr_cmp_d(a->hi, x) >= 0;
}

bool interval_subset(const interval *a, const interval *b) {
  if (interval_is_empty(a) || interval_is_whole(b)) return true;
  return mpfr_lessequal_p(b->lo, a->lo) && mpfr_lessequal_p(a->hi, b->hi);
}

bool interval_equal(const interval *a, const interval *b) {
  return interval_subset(a, b) && interval_subset(b, a);
}

bool interval_disjoint(const interval *a, const interval *b) {
  return interval_certainly_less(a, b) || interval_certainly_less(b, a);
}

bool interval_certainly_less(const interval *a, const interval *b) {
  if (interval_is_empty(a) || interval_is_empty(b)) return true;
  if (interval_has_nan(a) || interval_has_nan(b)) return false;
  return mpfr_less_p(a->hi, b->lo);
}

bool interval_certainly_less_equal(const interval *a, const interval *b) {
  if (interval_is_empty(a) || interval_is_empty(b)) return true;
  if (interval_has_nan(a) || interval_has_nan(b)) return false;
  return mpfr_lessequal_p(a->hi, b->lo);
}
