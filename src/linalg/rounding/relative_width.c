#include "linalg/rounding/relative_width.h"

#include <math.h>

double relative_width(mpfr_srcptr lower, mpfr_srcptr upper) {
  mpfr_t width;
  mpfr_init2(width, 64);
  mpfr_sub(width, upper, lower, MPFR_RNDU);
  if (!mpfr_zero_p(width)) mpfr_div(width, width, upper, MPFR_RNDU);
  const double result = mpfr_inf_p(upper) ? INFINITY : mpfr_get_d(width, MPFR_RNDU);
  mpfr_clear(width);
  return result;
}
