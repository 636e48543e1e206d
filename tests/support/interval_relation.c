#include "interval_relation.h"

#include <math.h>

static bool has_nan(const interval *a) {
  return mpfr_nan_p(a->lo) || mpfr_nan_p(a->hi);
}

bool interval_relation_whole(const interval *a) {
  return has_nan(a) || (mpfr_inf_p(a->lo) && mpfr_sgn(a->lo) < 0 && mpfr_inf_p(a->hi) && mpfr_sgn(a->hi) > 0);
}

bool interval_relation_contains(const interval *a, double x) {
  return isfinite(x) && (has_nan(a) || (mpfr_cmp_d(a->lo, x) <= 0 && mpfr_cmp_d(a->hi, x) >= 0));
}

static bool same(mpfr_srcptr x, mpfr_srcptr y) {
  return mpfr_equal_p(x, y) || (mpfr_nan_p(x) && mpfr_nan_p(y));
}

bool interval_relation_same_ends(const interval *a, const interval *b) {
  return same(a->lo, b->lo) && same(a->hi, b->hi);
}
