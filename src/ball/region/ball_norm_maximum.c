#include "ball/region/ball_norm.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"

#include <math.h>

enum { PRECISION = 53 }; /* bits: a distance that is a double comes out as it is */

static double length_upward(const double *x, const double *centre, size_t count) {
  interval e, middle;
  mpfr_t size, largest;
  interval_init(&e, PRECISION);
  interval_init(&middle, PRECISION);
  mpfr_inits2(PRECISION, size, largest, (mpfr_ptr)0);
  mpfr_set_zero(largest, 1);
  for (size_t k = 0; k < count; k++) {
    interval_set_d(&e, x[k]);
    if (centre != NULL) {
      interval_set_d(&middle, centre[k]);
      interval_sub(&e, &e, &middle);
    }
    interval_mag(size, &e);
    mpfr_max(largest, largest, size, MPFR_RNDU);
  }
  const double length = mpfr_get_d(largest, MPFR_RNDU);
  mpfr_clears(size, largest, (mpfr_ptr)0);
  interval_clear(&middle);
  interval_clear(&e);
  return length;
}

static void project(double *x, const double *centre, size_t count, double radius) {
  for (size_t k = 0; k < count; k++) {
    const double e = ball_norm_offset(x, centre, k);
    if (fabs(e) > radius) x[k] = (centre != NULL ? centre[k] : 0.0) + copysign(radius, e);
  }
}

/* Each face of the box that x is on takes its own entry. */
static void keep_tangent(double *slope, const double *x, const double *centre, size_t count, double radius) {
  for (size_t k = 0; k < count; k++) {
    const double e = ball_norm_offset(x, centre, k);
    if (fabs(e) >= radius * (1.0 - 1e-9) && slope[k] * copysign(1.0, e) > 0.0) slope[k] = 0.0;
  }
}

/* A corner; an entry of slope 0 stays where it is. */
static bool steepest(double *slope, size_t count) {
  bool any = false;
  for (size_t k = 0; k < count; k++) {
    if (!(fabs(slope[k]) > 0.0)) continue;
    slope[k] = copysign(1.0, slope[k]);
    any = true;
  }
  return any;
}

/* sum_k |slope_k| */
static void dual(interval *norm, const interval *slope, size_t count, interval_scratch *ws) {
  interval size, negative;
  (void)ws;
  interval_init(&size, mpfr_get_prec(norm->lo));
  interval_init(&negative, mpfr_get_prec(norm->lo));
  interval_set_zero(norm);
  for (size_t k = 0; k < count; k++) {
    interval_neg(&negative, &slope[k]);
    interval_set_zero(&size); /* so that the lower end is not below 0 */
    interval_max(&size, &size, &slope[k]);
    interval_max(&size, &size, &negative);
    interval_add(norm, norm, &size);
  }
  interval_clear(&negative);
  interval_clear(&size);
}

static unsigned long squared_reach(size_t count) {
  return count;
}

const ball_norm ball_norm_maximum = {"inf", length_upward, project, keep_tangent, steepest, dual, squared_reach};
