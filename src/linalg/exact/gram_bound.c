#include "linalg/exact/gram_bound.h"

bool gram_bound_shift(mpz_ptr t, mpfr_srcptr tau2, long exponent, mpfr_ptr scaled) {
  if (!mpfr_number_p(tau2) || mpfr_mul_2si(scaled, tau2, -exponent, MPFR_RNDU) != 0) return false;
  mpfr_get_z(t, scaled, MPFR_RNDU);
  return true;
}

void gram_bound(mpfr_ptr upper, mpfr_srcptr tau2, long exponent, mpfr_ptr residual, mpfr_srcptr error, mpfr_ptr unit) {
  mpfr_set_ui(unit, 1, MPFR_RNDU);
  /*@ assert one: at_least(unit, 1.0); */
  mpfr_mul_2si(unit, unit, exponent, MPFR_RNDU);
  /*@ assert unit: at_least(unit, power_of_two(exponent)); */
  /*@ assert larger: \forall real x, y; x <= y ==>
        prod(x, power_of_two(exponent)) <= prod(y, power_of_two(exponent)); */
  mpfr_mul_2si(residual, residual, exponent, MPFR_RNDU);
  /*@ assert residual: \forall real r; at_least{Pre}(residual, r) ==>
        at_least(residual, prod(r, power_of_two(exponent))); */
  mpfr_add(upper, tau2, unit, MPFR_RNDU);
  /*@ assert shift: number{Pre}(tau2) ==> at_least(upper, value{Pre}(tau2) + power_of_two(exponent)); */
  mpfr_add(upper, upper, residual, MPFR_RNDU);
  /*@ assert rest: \forall real r; number{Pre}(tau2) ==> at_least{Pre}(residual, r) ==>
        at_least(upper, value{Pre}(tau2) + power_of_two(exponent) + prod(r, power_of_two(exponent))); */
  mpfr_add(upper, upper, error, MPFR_RNDU);
  /*@ assert total: \forall real r, x; number{Pre}(tau2) ==> at_least{Pre}(residual, r) ==> at_least{Pre}(error, x) ==>
        at_least(upper, value{Pre}(tau2) + power_of_two(exponent) + prod(r, power_of_two(exponent)) + x); */
  /*@ assert sum: \forall real t, r; prod(t + r, power_of_two(exponent)) ==
        prod(t, power_of_two(exponent)) + prod(r, power_of_two(exponent)); */
}
