/* A line that follows a curve on an interval: |phi(t) - slope (t - center) - height| <= error for lo <= t <= hi.
 *
 * Between the places where its convexity changes, phi(t) - slope t of a curve has its ends at the ends of the piece, or
 * beyond one tangent: g(t) >= g(s) + g'(s) (t - s) where g is convex, for any s. The slope is that of the chord, which
 * is the best where the curve is convex or concave throughout (Chebyshev: the error takes its largest value at both
 * ends and between them with the other sign); elsewhere the better of chord and tangent. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_LINE_H
#define ATTCERT_ROBUST_RANGE_RANGE_LINE_H

#include "interval/interval.h"
#include "robust/range/range.h"

enum { CURVE_MAX_BENDS = 2 };

/* A function, its derivative (any member between the one-sided ones where it jumps), and where its second derivative
 * changes sign: at one place in each of `bend`, ascending; from -infinity on it is convex or concave. */
typedef struct {
  const char *name;
  range (*value)(double t);
  range (*tangent)(double t, range *value);                  /* the derivative; *value: as value(t) */
  double (*estimate)(double t), (*slope_estimate)(double t); /* in double, any quality */
  /* Value and slope over an interval; neither is t. NULL where no network has the curve as a step. */
  void (*enclose)(interval *value, interval *slope, const interval *t, interval_scratch *ws);
  int bends;
  range bend[CURVE_MAX_BENDS];
  bool convex_first;
  bool straight;            /* lines between points: what else is said of its bends does not count */
  double second_derivative; /* bounds |phi''| within the bends; 0 where there are none */
} range_curve;

extern const range_curve curve_gelu, curve_gelu_tanh, curve_gelu_bloom, curve_quick_gelu, curve_silu, curve_relu,
    curve_tanh, curve_inverse_sqrt;

typedef struct {
  double slope, height, error;
} range_line;

/* lo <= center <= hi, finite, in the curve's domain; otherwise the error is infinite. */
range_line range_line_along(const range_curve *curve, double lo, double hi, double center);

/* A line on one side of the curve: phi(t) >= slope t + height for lo <= t <= hi, or <= where it is above. */
typedef struct {
  double slope, height;
  double touch; /* about where they meet */
} range_side;

/* The line of this slope, any double, for finite lo <= hi in the curve's domain; otherwise the height is infinite and
 * claims nothing. */
range_side range_line_side(const range_curve *curve, double lo, double hi, double slope, bool above);

/* The nearest slope that the curve has there, by estimate. */
double range_line_nearest_slope(const range_curve *curve, double lo, double hi, double slope);

/* The slope of a line on that side that is close in the middle, which halves the area between the two. */
double range_line_slope(const range_curve *curve, double lo, double hi, bool above);

#endif
