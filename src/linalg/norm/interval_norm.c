#include "linalg/norm/interval_norm.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "linalg/norm/matrix_norm.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

#include <stdlib.h>

/* mid := midpoints of 2^-exponent a; returns the Frobenius norm of the radii, rounded up. */
static double split(double *mid, const interval *a, size_t count, long exponent) {
  interval scaled;
  interval_scratch ws;
  double squares = 0.0;
  interval_init(&scaled, count > 0 ? mpfr_get_prec(a->lo) : 53);
  interval_scratch_init(&ws, mpfr_get_prec(scaled.lo));
  for (size_t i = 0; i < count; i++) {
    double radius;
    interval_scale_2exp(&scaled, &a[i], -exponent);
    interval_get_midrad(&mid[i], &radius, &scaled, &ws);
    squares += radius * radius;
  }
  interval_scratch_clear(&ws);
  interval_clear(&scaled);
  return round_up_nonnegative(sqrt(round_up_nonnegative(squares, (double)count + 1.0)), 1.0);
}

attcert_status interval_matrix_norm(interval *norm, const interval *a, int rows, int cols, attcert_error *err) {
  const size_t count = (size_t)rows * (size_t)cols;
  long exponent = EXPONENT_OF_ZERO;
  bool bounded = true;
  for (size_t i = 0; i < count; i++) {
    exponent = exponent_max(exponent, exponent_of_interval(&a[i]));
    bounded = bounded && interval_is_bounded(&a[i]);
  }
  interval_set_zero(norm);
  if (!bounded) mpfr_set_inf(norm->hi, 1);
  if (!bounded || exponent == EXPONENT_OF_ZERO) return ATTCERT_OK;
  double *const mid = array_new(count, sizeof *mid, err, "a %d x %d matrix", rows, cols);
  if (mid == NULL) return ATTCERT_RESOURCE;
  const double error = split(mid, a, count, exponent);
  const attcert_status status = matrix_norm(norm->lo, norm->hi, mid, rows, cols, error, err);
  interval_scale_2exp(norm, norm, exponent);
  free(mid);
  return status;
}
