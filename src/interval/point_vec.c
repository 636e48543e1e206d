/* Vectors of exact numbers in one block. */
#include "interval/point_vec.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "interval/mpfr_block.h"

_Static_assert(sizeof(point) == sizeof(mpfr_t), "a point is one number without padding");

static mpfr_prec_t exact_for_doubles(mpfr_prec_t precision) {
  return precision < DBL_MANT_DIG ? DBL_MANT_DIG : precision;
}

size_t point_vec_bytes(size_t n, mpfr_prec_t precision) {
  return mpfr_block_bytes(n, exact_for_doubles(precision));
}

point *point_vec_new(size_t n, mpfr_prec_t precision) {
  return mpfr_block_new(n, exact_for_doubles(precision));
}

void point_vec_free(point *p) {
  free(p);
}

void point_vec_set_d(point *p, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (isfinite(x[i])) {
      mpfr_set_d(p[i].v, x[i], MPFR_RNDN); /* exact */
    } else {
      mpfr_set_nan(p[i].v);
    }
  }
}
