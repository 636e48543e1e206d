/* A parabola that follows a curve on an interval:
 *
 *   |phi(t) - slope (t - center) - square (t - center)^2 - height| <= error     for lo <= t <= hi.
 *
 * What it misses of a smooth curve is of third order in hi - lo, where a line misses the second. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_PARABOLA_H
#define ATTCERT_ROBUST_RANGE_RANGE_PARABOLA_H

#include "robust/range/range_line.h"

typedef struct {
  double slope, square, height, error;
} range_parabola;

/* lo <= center <= hi, finite, in the curve's domain; otherwise, or where they are too close, the error is infinite. */
range_parabola range_parabola_along(const range_curve *curve, double lo, double hi, double center);

#endif
