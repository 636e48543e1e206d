#include "randomized/randomized_bound.h"

#include <float.h>
#include <math.h>

double randomized_bound_least(const randomized_recurrence *r, double from, double threshold) {
  double lo = 0x1p-40 * from, hi = lo;
  if (!(lo >= DBL_MIN && isfinite(65.0 * from))) return INFINITY; /* normal, so that a middle is between */
  while (hi <= 64.0 * from && !randomized_bound_excludes(r, from + hi, threshold)) {
    lo = hi;
    hi *= 16.0;
  }
  if (!(hi <= 64.0 * from)) return INFINITY;
  while (hi > (1.0 + 0x1p-6) * lo) {
    const double middle = sqrt(lo) * sqrt(hi);
    if (randomized_bound_excludes(r, from + middle, threshold))
      hi = middle;
    else
      lo = middle;
  }
  return from + hi;
}
