#include "linalg/rounding/sum_upward.h"

void sum_upward_square(mpfr_ptr sum, mpfr_srcptr x, mpfr_ptr t) {
  mpfr_sqr(t, x, MPFR_RNDU);
  mpfr_add(sum, sum, t, MPFR_RNDU);
}

void sum_upward_squares(mpfr_ptr sum, const point *x, size_t n, mpfr_ptr t) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant upper: \forall rvec r, real s; points_are{Pre}(x, r, i) ==> at_least{Pre}(sum, s) ==>
        at_least(sum, squares_from(s, r, i));
      loop assigns i, *sum, *t;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    /*@ assert same: unchanged{Pre, Here}(&(x + i)->v[0]); */
    sum_upward_square(sum, x[i].v, t);
  }
}

void sum_upward_root(mpfr_ptr total, mpfr_t *a, int n) {
  mpfr_set_zero(total, 1);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant upper: \forall rvec r; bounds_vec{Pre}(a, r, i) ==> at_least(total, sum_from(0.0, r, i));
      loop invariant numbers: (\forall integer t; 0 <= t < i ==> at_least{Pre}(&a[t][0], 0.0)) ==>
        at_least(total, 0.0) && (number(total) ==> \forall integer t; 0 <= t < i ==> number{Pre}(&a[t][0]));
      loop assigns i, *total;
      loop variant n - i; */
  for (int i = 0; i < n; i++) mpfr_add(total, total, a[i], MPFR_RNDU);
  mpfr_sqrt(total, total, MPFR_RNDU);
}

void sum_upward_doubles(mpfr_ptr sum, const double *a, size_t n) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant upper: \forall rvec r, real s; double_bounds_vec{Pre}(a, r, i) ==>
        at_least{Pre}(sum, s) ==> at_least(sum, sum_from(s, r, i));
      loop assigns i, *sum;
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) mpfr_add_d(sum, sum, a[i], MPFR_RNDU);
}
