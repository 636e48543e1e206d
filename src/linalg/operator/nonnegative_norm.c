#include "linalg/operator/nonnegative_norm.h"

#include "base/arrays.h"
#include "linalg/rounding/rounding.h"

#include <stdlib.h>

/* A bound of roundings need not be sharper than that. */
static const double LEAST_GAIN = 0.01;

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

attcert_status nonnegative_radius(double *bound, const nonnegative_square *b, double gain, attcert_error *err) {
  double *x, *y;
  const array_table arrays = {{ARRAY(x, (size_t)b->side), ARRAY(y, (size_t)b->side)}};
  attcert_status status = array_table_allocate(&arrays, err, "a pair of vectors of %d doubles", b->side);
  const bool allocated = status == ATTCERT_OK;
  *bound = INFINITY;
  for (int i = 0; allocated && i < b->side; i++) x[i] = 1.0;
  for (int step = 0; status == ATTCERT_OK && step < NONNEGATIVE_STEPS; step++) {
    const double before = *bound;
    status = b->apply(b->context, y, x, err);
    if (status != ATTCERT_OK) break;
    *bound = fmin(before, largest_ratio(y, x, b->side, 2.0 * b->roundings));
    if (*bound > (1.0 - gain) * before) break;
    next_direction(x, y, b->side);
  }
  free(x);
  free(y);
  return status;
}

/* A and a vector for A x. */
typedef struct {
  const linear_operator *a;
  double *image;
} operator_square;

static attcert_status apply_square(void *context, double *y, const double *x, attcert_error *err) {
  const operator_square *const s = context;
  (void)err;
  s->a->apply(s->a->context, s->image, x, false);
  s->a->apply(s->a->context, y, s->image, true);
  return ATTCERT_OK;
}

attcert_status nonnegative_norm_squared(double *bound, const linear_operator *a, double roundings, attcert_error *err) {
  operator_square s = {a, array_new((size_t)a->rows, sizeof(double), err, "a vector of %d doubles", a->rows)};
  const nonnegative_square square = {a->cols, apply_square, &s, roundings};
  *bound = INFINITY;
  const attcert_status status =
      s.image == NULL ? ATTCERT_RESOURCE : nonnegative_radius(bound, &square, LEAST_GAIN, err);
  free(s.image);
  return status;
}
