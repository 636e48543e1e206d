/* How far the Gram matrix of a rounded matrix is from that of the matrix itself: with A~ = A - D,
 *   ||A~ A~^T - A A^T||_2 = ||D D^T - A D^T - D A^T||_2 <= (2 ||A||_F + ||D||_F) ||D||_F     (Coq: `rounded_gram`). */
#ifndef ATTCERT_LINALG_EXACT_GRAM_ROUNDING_H
#define ATTCERT_LINALG_EXACT_GRAM_ROUNDING_H

#include "linalg/rounding/sum_upward.h"

#ifdef __FRAMAC__
#include "theorems/gram_rounding_lemmas.acsl"
#endif

/* error := that bound for A with the entries a[n] and D with `inexact` entries that are not 0, each at most
 * 2^(exponent - 1) in magnitude: ||D||_F <= 2^(exponent - 1) sqrt(inexact). NaN, which 0 inf gives, claims nothing.
 * deviation, t: scratch. */
/*@ requires valid: \valid(error) && \valid(deviation) && \valid(t) && \valid_read(a + (0 .. n - 1)) &&
      \separated(error, deviation, t, a + (0 .. n - 1));
    requires live: initialised(error) && initialised(deviation) && initialised(t) && live_points(a, n);
    requires exponent: -0x7fffffffffffffff <= exponent;
    terminates \true;
    assigns *error, *deviation, *t;
    ensures upper: \forall rvec r, real d; points_are{Pre}(a, r, n) ==> 0.0 <= d ==>
      4.0 * d <= prod(inexact, prod(power_of_two(exponent), power_of_two(exponent))) ==>
      nan(error) || at_least(error, prod(2.0 * rroot(squares_from(0.0, r, n)) + rroot(d), rroot(d))); */
void gram_rounding_error(mpfr_ptr error, const point *a, size_t n, size_t inexact, long exponent, mpfr_ptr deviation,
                         mpfr_ptr t);

#endif
