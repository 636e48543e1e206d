/* Vectors of exact numbers in one block. */
#include "interval/point_vec.h"

#include <float.h>
#include <math.h>

_Static_assert(sizeof(point) == sizeof(mpfr_t), "a point is one number without padding");

/*@ terminates \true;
    assigns \nothing;
    ensures result: \result == exact_for_doubles(precision); */
static mpfr_prec_t raised(mpfr_prec_t precision) {
  return precision < DBL_MANT_DIG ? DBL_MANT_DIG : precision;
}

size_t point_vec_bytes(size_t n, mpfr_prec_t precision) {
  return mpfr_block_bytes(n, raised(precision));
}

point *point_vec_new(size_t n, mpfr_prec_t precision) {
  const mpfr_ptr numbers = mpfr_block_new(n, raised(precision));
  point *const p = (point *)numbers;
  //@ assert same: \forall integer i; 0 <= i < n ==> lent(numbers + i) ==> live_point(p + i);
  return p;
}

void point_vec_free(point *p) {
  mpfr_block_free((mpfr_ptr)p);
}

void point_vec_set_d(point *p, const double *x, size_t n) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant exact: \forall integer j; 0 <= j < i ==> finite_double(x[j]) ==>
        number(&(p + j)->v[0]) && value(&(p + j)->v[0]) == x[j];
      loop invariant nan: \forall integer j; 0 <= j < i ==> !finite_double(x[j]) ==> nan(&(p + j)->v[0]);
      loop invariant precision: \forall integer j; 0 <= j < n ==>
        precision(&(p + j)->v[0]) == precision{Pre}(\at(&(p + j)->v[0], Pre));
      loop assigns i, p[0 .. n - 1];
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) {
    if (isfinite(x[i])) {
      mpfr_set_d(p[i].v, x[i], MPFR_RNDN); /* exact */
    } else {
      mpfr_set_nan(p[i].v);
    }
  }
}
