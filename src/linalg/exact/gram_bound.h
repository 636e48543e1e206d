/* The largest eigenvalue from a factorisation in integers: t I - G = L L^T + R for G in units of 2^e, t the least
 * integer with t 2^e >= tau^2, gives
 *   lambda_max(2^e G) <= (t + ||R||) 2^e <= tau^2 + 2^e + ||R|| 2^e      (integer_cholesky.h). */
#ifndef ATTCERT_LINALG_EXACT_GRAM_BOUND_H
#define ATTCERT_LINALG_EXACT_GRAM_BOUND_H

#include <gmp.h>
#include <mpfr.h>
#include <stdbool.h>

#ifdef __FRAMAC__
#include "arithmetic/scaled_ceiling_lemmas.acsl"
#endif

/* t := ceil(tau2 / 2^exponent); scaled, of tau2's precision: scratch. False when tau2 is no number, or the quotient
 * none of MPFR's. */
/*@ requires valid: \valid(t) && \valid_read(tau2) && \valid(scaled) && \separated(t, tau2, scaled);
    requires live: mpz_initialised(t) && initialised(tau2) && initialised(scaled);
    requires exponent: -0x7fffffffffffffff <= exponent;
    terminates \true;
    assigns *t, *scaled;
    ensures number: \result ==> number(tau2);
    ensures below: \result ==> prod(mpz_value(t), power_of_two(exponent)) <= value(tau2) + power_of_two(exponent); */
bool gram_bound_shift(mpz_ptr t, mpfr_srcptr tau2, long exponent, mpfr_ptr scaled);

/* upper := tau2 + 2^exponent + 2^exponent residual + error; NaN, which claims nothing, where error is. residual is
 * overwritten; unit: scratch. */
/*@ requires valid: \valid(upper) && \valid_read(tau2) && \valid(residual) && \valid_read(error) && \valid(unit) &&
      \separated(upper, tau2, residual, error, unit);
    requires live: initialised(upper) && initialised(tau2) && initialised(residual) && initialised(error) &&
      initialised(unit);
    terminates \true;
    assigns *upper, *residual, *unit;
    ensures upper: \forall real t, r, x; number{Pre}(tau2) ==>
      prod(t, power_of_two(exponent)) <= value{Pre}(tau2) + power_of_two(exponent) ==>
      at_least{Pre}(residual, r) ==> at_least{Pre}(error, x) ==>
      at_least(upper, prod(t + r, power_of_two(exponent)) + x);
    ensures nan: nan{Pre}(error) ==> nan(upper); */
void gram_bound(mpfr_ptr upper, mpfr_srcptr tau2, long exponent, mpfr_ptr residual, mpfr_srcptr error, mpfr_ptr unit);

#endif
