#include "linalg/exact/gram_rounding.h"

#include "linalg/rounding/norm_upward.h"

/* deviation := 2^(exponent - 1) sqrt(inexact). */
/*@ requires valid: \valid(deviation) && initialised(deviation);
    requires exponent: -0x7fffffffffffffff <= exponent;
    terminates \true;
    assigns *deviation;
    ensures upper: at_least(deviation, prod(rroot(inexact), power_of_two(exponent - 1))); */
static void deviation_upward(mpfr_ptr deviation, size_t inexact, long exponent) {
  mpfr_set_ui(deviation, inexact, MPFR_RNDU);
  mpfr_sqrt(deviation, deviation, MPFR_RNDU);
  /*@ assert root: at_least(deviation, rroot(inexact)); */
  mpfr_mul_2si(deviation, deviation, exponent - 1, MPFR_RNDU);
}

/* norm := 2 ||A||_F; t is scratch. */
/*@ requires valid: \valid(norm) && \valid(t) && \valid_read(a + (0 .. n - 1)) &&
      \separated(norm, t, a + (0 .. n - 1));
    requires live: initialised(norm) && initialised(t) && live_points(a, n);
    terminates \true;
    assigns *norm, *t;
    ensures upper: \forall rvec r; points_are{Pre}(a, r, n) ==>
      at_least(norm, 2.0 * rroot(squares_from(0.0, r, n))); */
static void twice_norm(mpfr_ptr norm, const point *a, size_t n, mpfr_ptr t) {
  mpfr_set_zero(norm, 1);
  sum_upward_squares(norm, a, n, t);
  /*@ assert squares: \forall rvec r; points_are{Pre}(a, r, n) ==> at_least(norm, squares_from(0.0, r, n)); */
  mpfr_sqrt(norm, norm, MPFR_RNDU);
  /*@ assert root: \forall rvec r; points_are{Pre}(a, r, n) ==> at_least(norm, rroot(squares_from(0.0, r, n))); */
  mpfr_mul_2si(norm, norm, 1, MPFR_RNDU);
  /*@ assert two: power_of_two(1) == 2.0; */
  /*@ assert twice: \forall real x; prod(x, power_of_two(1)) == 2.0 * x; */
}

void gram_rounding_error(mpfr_ptr error, const point *a, size_t n, size_t inexact, long exponent, mpfr_ptr deviation,
                         mpfr_ptr t) {
  deviation_upward(deviation, inexact, exponent);
  /*@ assert deviation: \forall real d; 0.0 <= d ==>
        4.0 * d <= prod(inexact, prod(power_of_two(exponent), power_of_two(exponent))) ==>
        at_least(deviation, rroot(d)); */
  /*@ assert same: \forall rvec r; points_are{Pre}(a, r, n) ==> points_are(a, r, n); */
  twice_norm(error, a, n, t);
  /*@ assert norm: \forall rvec r; points_are{Pre}(a, r, n) ==>
        at_least(error, 2.0 * rroot(squares_from(0.0, r, n))); */
  mpfr_add(error, error, deviation, MPFR_RNDU);
  /*@ assert sum: \forall rvec r, real d; points_are{Pre}(a, r, n) ==> 0.0 <= d ==>
        4.0 * d <= prod(inexact, prod(power_of_two(exponent), power_of_two(exponent))) ==>
        at_least(error, 2.0 * rroot(squares_from(0.0, r, n)) + rroot(d)); */
  /*@ assert factor: \forall real d; 0.0 <= d ==>
        4.0 * d <= prod(inexact, prod(power_of_two(exponent), power_of_two(exponent))) ==>
        0.0 <= rroot(d) && at_least(deviation, rroot(d)); */
  /*@ assert not_negative: \forall rvec r, real d; 0.0 <= d ==>
        0.0 <= 2.0 * rroot(squares_from(0.0, r, n)) + rroot(d); */
  norm_upward_multiply(error, deviation);
}
