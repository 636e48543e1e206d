/* The theorems about the last sums of a certificate: what the engines compute from upper bounds is an upper bound, and
 * the width that is reported is that of the enclosure.
 *
 * No program calls these functions: they are here to show that the contracts of src/linalg together say what the
 * engines rely on. The engines make the same calls, in mpfr_engine.c, explicit_gram.c, integer_cholesky.c, dense.c,
 * largest_eigenvalue.c and certify_run.c. */
#include "linalg/exact/gram_bound.h"
#include "linalg/rounding/norm_upward.h"
#include "linalg/rounding/relative_width.h"
#include "linalg/rounding/sum_upward.h"

/* The mpfr engine: t I - G in units of 2^exponent has been factorised but for a remainder, whose rows have at most the
 * squared norms given, and `error` bounds what G differs by; then the norm is at most the root of (t + ||remainder||_F)
 * 2^exponent + error, and the radius (Coq: `explicit_norm`). */
/*@ requires count: 0 <= n;
    requires valid: \valid(upper) && \valid(residual) && \valid_read(squares + (0 .. n - 1)) && \valid(t) &&
      \valid(scratch) && \valid_read(tau2) && \valid_read(error) && \valid_read(radius);
    requires live: initialised(upper) && initialised(residual) && live_numbers(squares, n) && mpz_initialised(t) &&
      initialised(scratch) && initialised(tau2) && initialised(error) && initialised(radius);
    requires separated: \separated(upper, residual, t, scratch, tau2, error, radius, squares + (0 .. n - 1));
    requires exponent: -0x7fffffffffffffff <= exponent;
    terminates \true;
    assigns *upper, *residual, *t, *scratch;
    ensures upper: \result ==> \forall rvec s, real e, r; bounds_vec{Pre}(squares, s, n) ==>
      0.0 <= sum_from(0.0, s, n) ==> at_least{Pre}(error, e) ==> at_least{Pre}(radius, r) ==>
      0.0 <= prod(mpz_value(t) + rroot(sum_from(0.0, s, n)), power_of_two(exponent)) + e ==>
      at_least(upper, rroot(prod(mpz_value(t) + rroot(sum_from(0.0, s, n)), power_of_two(exponent)) + e) + r);
    ensures nothing: \result ==> nan{Pre}(error) ==> nan(upper); */
bool factorised_theorem(mpfr_ptr upper, mpfr_ptr residual, mpz_ptr t, mpfr_t *squares, int n, mpfr_srcptr tau2,
                        long exponent, mpfr_srcptr error, mpfr_srcptr radius, mpfr_ptr scratch) {
  if (!gram_bound_shift(t, tau2, exponent, scratch)) return false;
  //@ ghost Shifted:;
  /*@ assert kept: \forall rvec s; bounds_vec{Pre}(squares, s, n) ==> bounds_vec(squares, s, n); */
  sum_upward_root(residual, squares, n);
  /*@ assert residual: \forall rvec s; bounds_vec{Pre}(squares, s, n) ==> 0.0 <= sum_from(0.0, s, n) ==>
        at_least(residual, rroot(sum_from(0.0, s, n))); */
  /*@ assert terms: unchanged{Pre, Here}(error) && unchanged{Shifted, Here}(tau2) &&
        mpz_value(t) == mpz_value{Shifted}(t); */
  //@ ghost Summed:;
  gram_bound(upper, tau2, exponent, residual, error, scratch);
  /*@ assert shift: mpz_value(t) == mpz_value{Shifted}(t); */
  /*@ assert bound: \forall rvec s, real e; bounds_vec{Pre}(squares, s, n) ==> 0.0 <= sum_from(0.0, s, n) ==>
        at_least{Pre}(error, e) ==>
        at_least(upper, prod(mpz_value(t) + rroot(sum_from(0.0, s, n)), power_of_two(exponent)) + e); */
  //@ assert radius: \forall real r; at_least{Pre}(radius, r) ==> at_least(radius, r);
  //@ ghost Bounded:;
  norm_upward_from_eigenvalue(upper, radius);
  /*@ assert root: \forall real l, r; at_least{Bounded}(upper, l) ==> 0.0 <= l ==> at_least{Pre}(radius, r) ==>
        at_least(upper, rroot(l) + r); */
  /*@ assert same: mpz_value(t) == mpz_value{Bounded}(t); */
  return true;
}

/* The dense engine: tau2 and terms in double bound the largest eigenvalue, and an error and a radius are added. */
/*@ requires valid: \valid(norm) && \valid_read(terms + (0 .. n - 1));
    requires live: initialised(norm);
    requires separated: \separated(norm, terms + (0 .. n - 1));
    terminates \true;
    assigns *norm;
    ensures upper: \forall rvec t, real s, e, r; at_least{Pre}(norm, s) ==> double_bounds_vec{Pre}(terms, t, n) ==>
      double_at_least(error, e) ==> 0.0 <= sum_from(s, t, n) + e ==> double_at_least(radius, r) ==>
      0.0 <= rroot(sum_from(s, t, n) + e) + r ==>
      at_least(norm, prod(rroot(sum_from(s, t, n) + e) + r, power_of_two(exponent))); */
void eigenvalue_theorem(mpfr_ptr norm, const double *terms, size_t n, double error, double radius, long exponent) {
  sum_upward_doubles(norm, terms, n);
  norm_upward_from_scaled_eigenvalue(norm, error, radius, exponent);
}

/* The width: no number of the enclosure is further below its upper end than that, relatively. */
/*@ requires valid: \valid_read(lower) && \valid_read(upper);
    requires live: initialised(lower) && initialised(upper);
    requires order: number(lower) && 0.0 <= value(lower);
    requires upper: plus_infinity(upper) || (number(upper) && value(lower) <= value(upper));
    terminates \true;
    assigns mpfr_lives;
    ensures width: number(upper) ==> 0.0 < value(upper) ==> finite_double(\result) ==>
      \forall real x; value(lower) <= x ==> value(upper) - x <= prod(\result, value(upper));
    ensures stated: number(upper) ==> 0.0 < value(upper) ==> finite_double(\result) || plus_infinity_double(\result);
    ensures unbounded: plus_infinity(upper) ==> plus_infinity_double(\result); */
double width_theorem(mpfr_srcptr lower, mpfr_srcptr upper) {
  const double width = relative_width(lower, upper);
  /*@ assert quotient: number(upper) ==> 0.0 < value(upper) ==>
        prod(quo(value(upper) - value(lower), value(upper)), value(upper)) == value(upper) - value(lower); */
  /*@ assert larger: number(upper) ==> 0.0 < value(upper) ==> finite_double(width) ==>
        prod(quo(value(upper) - value(lower), value(upper)), value(upper)) <= prod(width, value(upper)); */
  return width;
}
