#include "linalg/rounding/norm_upward.h"

void norm_upward_add_and_scale(mpfr_ptr x, double error, long exponent) {
  mpfr_add_d(x, x, error, MPFR_RNDU);
  mpfr_mul_2si(x, x, exponent, MPFR_RNDU);
}

void norm_upward_from_eigenvalue(mpfr_ptr norm, mpfr_srcptr radius) {
  mpfr_sqrt(norm, norm, MPFR_RNDU);
  mpfr_add(norm, norm, radius, MPFR_RNDU);
}

void norm_upward_from_scaled_eigenvalue(mpfr_ptr norm, double error, double radius, long exponent) {
  mpfr_add_d(norm, norm, error, MPFR_RNDU);
  mpfr_sqrt(norm, norm, MPFR_RNDU);
  /*@ assert root: \forall real l, e; at_least{Pre}(norm, l) ==> double_at_least(error, e) ==> 0.0 <= l + e ==>
        at_least(norm, rroot(l + e)); */
  norm_upward_add_and_scale(norm, radius, exponent);
}

void norm_upward_multiply(mpfr_ptr a, mpfr_srcptr b) {
  mpfr_mul(a, a, b, MPFR_RNDU);
}
