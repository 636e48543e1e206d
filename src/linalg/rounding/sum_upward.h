/* Sums of non-negative terms in MPFR, every operation rounded upward: whatever bounds the terms,
 * the result bounds their sum. */
#ifndef ATTCERT_LINALG_ROUNDING_SUM_UPWARD_H
#define ATTCERT_LINALG_ROUNDING_SUM_UPWARD_H

#include "interval/point_vec.h"

#ifdef __FRAMAC__
#include "theorems/upward_lemmas.acsl"
#endif

/* Which numbers have digits, and what bounds which real numbers. */
/*@ predicate live_numbers{L}(mpfr_t *a, integer n) = \forall integer t; 0 <= t < n ==> initialised(&a[t][0]);
    predicate bounds_vec{L}(mpfr_t *a, rvec x, integer n) =
      \forall integer t; 0 <= t < n ==> at_least(&a[t][0], entry(x, t));
    predicate points_are{L}(point *a, rvec x, integer n) =
      \forall integer t; 0 <= t < n ==> number(&(a + t)->v[0]) && value(&(a + t)->v[0]) == entry(x, t);
    predicate double_bounds_vec{L}(double *a, rvec x, integer n) =
      \forall integer t; 0 <= t < n ==> double_at_least(a[t], entry(x, t)); */

/* sum += x^2; t is scratch. */
/*@ requires valid: \valid(sum) && \valid(t) && \valid_read(x) && \separated(sum, t, x);
    requires live: initialised(sum) && initialised(t) && initialised(x);
    terminates \true;
    assigns *sum, *t;
    ensures upper: number{Pre}(x) ==> \forall real s; at_least{Pre}(sum, s) ==>
      at_least(sum, s + prod(value{Pre}(x), value{Pre}(x)));
    ensures precision: precision(t) == precision{Pre}(t); */
void sum_upward_square(mpfr_ptr sum, mpfr_srcptr x, mpfr_ptr t);

/* sum += x_0^2 + ... + x_{n-1}^2; t is scratch. */
/*@ requires valid: \valid(sum) && \valid(t) && \valid_read(x + (0 .. n - 1));
    requires live: initialised(sum) && initialised(t) && live_points(x, n);
    requires separated: \separated(sum, t, x + (0 .. n - 1));
    terminates \true;
    assigns *sum, *t;
    ensures upper: \forall rvec r, real s; points_are{Pre}(x, r, n) ==> at_least{Pre}(sum, s) ==>
      at_least(sum, squares_from(s, r, n)); */
void sum_upward_squares(mpfr_ptr sum, const point *x, size_t n, mpfr_ptr t);

/* total := sqrt(a_0 + ... + a_{n-1}). */
/*@ requires count: 0 <= n;
    requires valid: \valid(total) && \valid_read(a + (0 .. n - 1)) && \separated(total, a + (0 .. n - 1));
    requires live: initialised(total) && live_numbers(a, n);
    terminates \true;
    assigns *total;
    ensures upper: \forall rvec r; bounds_vec{Pre}(a, r, n) ==> 0.0 <= sum_from(0.0, r, n) ==>
      at_least(total, rroot(sum_from(0.0, r, n)));
    ensures numbers: (\forall integer t; 0 <= t < n ==> at_least{Pre}(&a[t][0], 0.0)) ==> number(total) ==>
      \forall integer t; 0 <= t < n ==> number{Pre}(&a[t][0]); */
void sum_upward_root(mpfr_ptr total, mpfr_t *a, int n);

/* sum += a_0 + ... + a_{n-1}. */
/*@ requires valid: \valid(sum) && \valid_read(a + (0 .. n - 1));
    requires live: initialised(sum);
    requires separated: \separated(sum, a + (0 .. n - 1));
    terminates \true;
    assigns *sum;
    ensures upper: \forall rvec r, real s; double_bounds_vec{Pre}(a, r, n) ==> at_least{Pre}(sum, s) ==>
      at_least(sum, sum_from(s, r, n)); */
void sum_upward_doubles(mpfr_ptr sum, const double *a, size_t n);

#endif
