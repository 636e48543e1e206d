/* The theorems about the last sums of a certificate: what the engines compute from upper bounds is an upper bound, and
 * the width that is reported is that of the enclosure.
 *
 * No program calls these functions: they are here to show that the contracts of src/linalg together say what the
 * engines rely on. The engines make the same calls, in mpfr_engine.c, explicit_gram.c, integer_cholesky.c, dense.c,
 * largest_eigenvalue.c and certify_run.c. */
#include "linalg/norm_upward.h"
#include "linalg/relative_width.h"
#include "linalg/sum_upward.h"

/* The mpfr engine: tau2 I - G has been factorised but for a residual, whose rows have at most the squared norms given;
 * then ||G|| <= tau2 + rounding + ||residual||_F + error, and the norm is the root of that, scaled, and the radius. */
/*@ requires count: 0 <= n;
    requires valid: \valid(upper) && \valid(residual) && \valid_read(squares + (0 .. n - 1));
    requires valid_terms: \valid_read(tau2) && \valid_read(rounding) && \valid_read(error) && \valid_read(radius);
    requires live: initialised(upper) && initialised(residual) && live_numbers(squares, n) &&
      initialised(tau2) && initialised(rounding) && initialised(error) && initialised(radius);
    requires separated: \separated(residual, squares + (0 .. n - 1));
    requires apart: \separated(upper, residual) && \separated(upper, tau2) && \separated(upper, rounding) &&
      \separated(upper, error) && \separated(upper, radius);
    requires terms: \separated(residual, tau2) && \separated(residual, rounding) && \separated(residual, error) &&
      \separated(residual, radius);
    terminates \true;
    assigns *upper, *residual;
    ensures upper: \forall rvec s, real m, e, x, r; bounds_vec{Pre}(squares, s, n) ==> 0.0 <= sum_from(0.0, s, n) ==>
      at_least{Pre}(rounding, m) ==> at_least{Pre}(error, e) ==> number{Pre}(tau2) ==> double_at_least(more, x) ==>
      at_least{Pre}(radius, r) ==> 0.0 <= value{Pre}(tau2) + m + rroot(sum_from(0.0, s, n)) + e + x ==>
      at_least(upper, rroot(prod(value{Pre}(tau2) + m + rroot(sum_from(0.0, s, n)) + e + x,
                                 power_of_two(exponent))) + r); */
void factorised_theorem(mpfr_ptr upper, mpfr_ptr residual, mpfr_t *squares, int n, mpfr_srcptr tau2,
                        mpfr_srcptr rounding, mpfr_srcptr error, double more, long exponent, mpfr_srcptr radius) {
  sum_upward_root(residual, squares, n);
  /*@ assert residual: \forall rvec s; bounds_vec{Pre}(squares, s, n) ==> 0.0 <= sum_from(0.0, s, n) ==>
        at_least(residual, rroot(sum_from(0.0, s, n))); */
  norm_upward_add_terms(upper, tau2, rounding, residual, error);
  /*@ assert terms: \forall rvec s, real m, e; bounds_vec{Pre}(squares, s, n) ==> 0.0 <= sum_from(0.0, s, n) ==>
        at_least{Pre}(rounding, m) ==> at_least{Pre}(error, e) ==> number{Pre}(tau2) ==>
        at_least(upper, value{Pre}(tau2) + m + rroot(sum_from(0.0, s, n)) + e); */
  norm_upward_add_and_scale(upper, more, exponent);
  /*@ assert scaled: \forall rvec s, real m, e, x; bounds_vec{Pre}(squares, s, n) ==> 0.0 <= sum_from(0.0, s, n) ==>
        at_least{Pre}(rounding, m) ==> at_least{Pre}(error, e) ==> number{Pre}(tau2) ==> double_at_least(more, x) ==>
        0.0 <= value{Pre}(tau2) + m + rroot(sum_from(0.0, s, n)) + e + x ==>
        at_least(upper, prod(value{Pre}(tau2) + m + rroot(sum_from(0.0, s, n)) + e + x, power_of_two(exponent))); */
  /*@ assert not_negative: \forall real x; 0.0 <= x ==> 0.0 <= prod(x, power_of_two(exponent)); */
  //@ assert radius: \forall real r; at_least{Pre}(radius, r) ==> at_least(radius, r);
  //@ ghost Scaled:;
  norm_upward_from_eigenvalue(upper, radius);
  /*@ assert root: \forall real l, r; at_least{Scaled}(upper, l) ==> 0.0 <= l ==> at_least{Pre}(radius, r) ==>
        at_least(upper, rroot(l) + r); */
}

/* A rounding that nothing is known of leaves nothing certified. */
/*@ requires valid: \valid(upper) && \valid_read(tau2) && \valid_read(rounding) && \valid_read(residual) &&
      \valid_read(error);
    requires live: initialised(upper) && initialised(tau2) && initialised(rounding) && initialised(residual) &&
      initialised(error);
    requires separated: \separated(upper, tau2) && \separated(upper, rounding) && \separated(upper, residual) &&
      \separated(upper, error);
    requires unknown: nan(rounding);
    terminates \true;
    assigns *upper;
    ensures nothing: \forall real x; !at_least(upper, x); */
void unknown_rounding_theorem(mpfr_ptr upper, mpfr_srcptr tau2, mpfr_srcptr rounding, mpfr_srcptr residual,
                              mpfr_srcptr error) {
  norm_upward_add_terms(upper, tau2, rounding, residual, error);
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
