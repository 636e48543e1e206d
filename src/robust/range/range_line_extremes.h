/* What lines are made from. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_LINE_EXTREMES_H
#define ATTCERT_ROBUST_RANGE_RANGE_LINE_EXTREMES_H

#include "robust/range/range_line.h"

/* Contains phi(t) - slope t for finite lo <= t <= hi in the curve's domain. */
range range_line_extremes(const range_curve *curve, double slope, double lo, double hi);

/* About where phi' takes the value of the slope between a and b, phi' being monotone there; an end where it does
 * not. */
double range_line_critical(const range_curve *curve, double slope, double a, double b);

#endif
