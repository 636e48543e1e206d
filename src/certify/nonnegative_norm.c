#include "certify/nonnegative_norm.h"

#include "certify/rounding.h"

#include <stdlib.h>

enum { STEPS = 6 };

/* max_i y_i / x_i rounded up, for computed y after m roundings; +inf when something overflowed. */
static double largest_ratio(const double *y, const double *x, int n, double m) {
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    const double ratio = round_up_nonnegative(y[i], m) / x[i];
    if (!isfinite(ratio)) return INFINITY;
    largest = fmax(largest, ratio);
  }
  return round_up_nonnegative(largest, 1.0);
}

/* The next positive vector: y scaled to maximum 1, with a floor that keeps every ratio finite. */
static void next_direction(double *x, const double *y, int n) {
  double top = 0.0;
  for (int i = 0; i < n; i++) top = fmax(top, y[i]);
  for (int i = 0; i < n; i++) x[i] = top > 0.0 && isfinite(top) ? fmax(y[i] / top, 0x1p-7) : 1.0;
}

attcert_status nonnegative_norm_squared(double *bound, const linear_operator *a, double roundings, attcert_error *err) {
  double *const x = malloc((size_t)a->cols * sizeof(double)), *const y = malloc((size_t)a->cols * sizeof(double));
  double *const z = malloc((size_t)a->rows * sizeof(double));
  *bound = INFINITY;
  const bool allocated = x != NULL && y != NULL && z != NULL;
  for (int i = 0; allocated && i < a->cols; i++) x[i] = 1.0;
  for (int step = 0; allocated && step < STEPS; step++) {
    a->apply(a->context, z, x, false);
    a->apply(a->context, y, z, true);
    *bound = fmin(*bound, largest_ratio(y, x, a->cols, 2.0 * roundings));
    next_direction(x, y, a->cols);
  }
  free(x);
  free(y);
  free(z);
  return allocated ? ATTCERT_OK : attcert_fail(err, ATTCERT_RESOURCE, "out of memory: vectors of %d doubles", a->cols);
}
