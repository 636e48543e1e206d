#include "robust/range/range_line.h"

#include "robust/range/range_line_extremes.h"

#include <float.h>

/* Where phi(t) - slope t is about the smallest, or the largest: at an end of a piece without a bend, or where phi' is
 * the slope. */
static double meeting_point(const range_curve *curve, double lo, double hi, double slope, bool above) {
  double best = lo, least = INFINITY, from = lo;
  for (int i = 0; i <= curve->bends; i++) {
    const double to = i < curve->bends ? fmax(from, fmin(hi, curve->bend[i].lo)) : hi;
    const double at[] = {from, range_line_critical(curve, slope, from, to), to};
    for (int k = 0; k < 3; k++) {
      const double g = curve->estimate(at[k]) - slope * at[k], value = above ? -g : g;
      if (value < least) {
        least = value;
        best = at[k];
      }
    }
    from = to;
  }
  return best;
}

range_side range_line_side(const range_curve *curve, double lo, double hi, double slope, bool above) {
  if (!(isfinite(lo) && isfinite(hi) && isfinite(slope) && lo <= hi))
    return (range_side){0.0, above ? INFINITY : -INFINITY, lo};
  const range all = range_line_extremes(curve, slope, lo, hi);
  return (range_side){slope, above ? all.hi : all.lo, meeting_point(curve, lo, hi, slope, above)};
}

double range_line_nearest_slope(const range_curve *curve, double lo, double hi, double slope) {
  const double at_lo = curve->slope_estimate(lo), at_hi = curve->slope_estimate(hi);
  double least = fmin(at_lo, at_hi), most = fmax(at_lo, at_hi);
  for (int i = 0; i < curve->bends; i++) {
    if (!(lo < curve->bend[i].lo && curve->bend[i].lo < hi)) continue;
    const double at_bend = curve->slope_estimate(curve->bend[i].lo);
    least = fmin(least, at_bend);
    most = fmax(most, at_bend);
  }
  return fmin(fmax(slope, least), most);
}

double range_line_slope(const range_curve *curve, double lo, double hi, bool above) {
  const double middle = 0.5 * lo + 0.5 * hi;
  if (!(hi - lo > 0x1p-20 * (fabs(lo) + fabs(hi)) && hi - lo >= DBL_MIN)) return curve->slope_estimate(middle);
  const double chord = (curve->estimate(hi) - curve->estimate(lo)) / (hi - lo);
  const double slope[] = {chord,
                          curve->slope_estimate(middle),
                          curve->slope_estimate(lo),
                          curve->slope_estimate(hi),
                          curve->slope_estimate(0.75 * lo + 0.25 * hi),
                          curve->slope_estimate(0.25 * lo + 0.75 * hi)};
  double best = chord, closest = INFINITY;
  for (int k = 0; k < 6; k++) {
    const double t = meeting_point(curve, lo, hi, slope[k], above);
    const double line = curve->estimate(t) + slope[k] * (middle - t), away = above ? line : -line;
    if (away < closest) {
      closest = away;
      best = slope[k];
    }
  }
  return best;
}
