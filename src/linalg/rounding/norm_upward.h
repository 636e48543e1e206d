/* The last steps from an eigenvalue of a Gram matrix to a norm, in MPFR, every operation rounded upward: whatever the
 * operands bound, the result bounds what is computed from it. NaN, which 0 inf gives, claims nothing. */
#ifndef ATTCERT_LINALG_ROUNDING_NORM_UPWARD_H
#define ATTCERT_LINALG_ROUNDING_NORM_UPWARD_H

#include <mpfr.h>

#ifdef __FRAMAC__
#include "theorems/upward_lemmas.acsl"
#endif

/* x := (x + error) 2^exponent. */
/*@ requires valid: \valid(x);
    requires live: initialised(x);
    terminates \true;
    assigns *x;
    ensures upper: \forall real l, e; at_least{Pre}(x, l) ==> double_at_least(error, e) ==> 0.0 <= l + e ==>
      at_least(x, prod(l + e, power_of_two(exponent))); */
void norm_upward_add_and_scale(mpfr_ptr x, double error, long exponent);

/* norm := sqrt(norm) + radius. */
/*@ requires valid: \valid(norm) && \valid_read(radius) && \separated(norm, radius);
    requires live: initialised(norm) && initialised(radius);
    terminates \true;
    assigns *norm;
    ensures upper: \forall real l, r; at_least{Pre}(norm, l) ==> 0.0 <= l ==> at_least{Pre}(radius, r) ==>
      at_least(norm, rroot(l) + r);
    ensures nan: nan{Pre}(norm) || negative{Pre}(norm) ==> nan(norm); */
void norm_upward_from_eigenvalue(mpfr_ptr norm, mpfr_srcptr radius);

/* norm := (sqrt(norm + error) + radius) 2^exponent. */
/*@ requires valid: \valid(norm);
    requires live: initialised(norm);
    terminates \true;
    assigns *norm;
    ensures upper: \forall real l, e, r; at_least{Pre}(norm, l) ==> double_at_least(error, e) ==> 0.0 <= l + e ==>
      double_at_least(radius, r) ==> 0.0 <= rroot(l + e) + r ==>
      at_least(norm, prod(rroot(l + e) + r, power_of_two(exponent))); */
void norm_upward_from_scaled_eigenvalue(mpfr_ptr norm, double error, double radius, long exponent);

/* a := a b of non-negative numbers. */
/*@ requires valid: \valid(a) && \valid_read(b) && \separated(a, b);
    requires live: initialised(a) && initialised(b);
    terminates \true;
    assigns *a;
    ensures upper: \forall real x, y; at_least{Pre}(a, x) ==> 0.0 <= x ==> at_least{Pre}(b, y) ==> 0.0 <= y ==>
      nan(a) || at_least(a, prod(x, y)); */
void norm_upward_multiply(mpfr_ptr a, mpfr_srcptr b);

#endif
