/* Ranges of reals between two doubles, rounded outward by one step of nextafter: an operation to nearest is off by at
 * most half an ulp, underflow included, so the neighbour of its result is beyond the exact one (Muller et al., Handbook
 * of Floating-Point Arithmetic, 2nd ed., section 2.2). For the scalars of remainders; src/interval is for what needs
 * more than 53 bits. Overflow gives infinite or NaN ends, which claim nothing: range_finite tells. */
#ifndef ATTCERT_RANGE_H
#define ATTCERT_RANGE_H

#include <math.h>
#include <stdbool.h>

typedef struct {
  double lo, hi;
} range;

static inline double range_down(double x) {
  return nextafter(x, -INFINITY);
}

static inline double range_up(double x) {
  return nextafter(x, INFINITY);
}

static inline range range_of(double x) {
  return (range){x, x};
}

static inline bool range_finite(range a) {
  return isfinite(a.lo) && isfinite(a.hi);
}

static inline range range_outward(double lo, double hi) {
  return (range){range_down(lo), range_up(hi)};
}

static inline range range_add(range a, range b) {
  return range_outward(a.lo + b.lo, a.hi + b.hi);
}

static inline range range_sub(range a, range b) {
  return range_outward(a.lo - b.hi, a.hi - b.lo);
}

/* The smaller and the larger of two numbers; NaN when one of them is. */
static inline double range_smaller(double a, double b) {
  return a < b || isnan(a) ? a : b;
}

static inline double range_larger(double a, double b) {
  return a > b || isnan(a) ? a : b;
}

static inline range range_mul(range a, range b) {
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return range_outward(range_smaller(range_smaller(p, q), range_smaller(r, s)),
                       range_larger(range_larger(p, q), range_larger(r, s)));
}

/* a / b for b > 0; NaN ends otherwise. */
static inline range range_div(range a, range b) {
  if (!(b.lo > 0.0)) return (range){NAN, NAN};
  return range_outward(a.lo / (a.lo >= 0.0 ? b.hi : b.lo), a.hi / (a.hi >= 0.0 ? b.lo : b.hi));
}

/* The square root; of the part that is not negative. */
static inline range range_sqrt(range a) {
  return range_outward(sqrt(a.lo > 0.0 ? a.lo : 0.0), sqrt(a.hi));
}

static inline range range_scale(range a, double factor) {
  return range_mul(a, range_of(factor));
}

static inline range range_hull(range a, range b) {
  return (range){range_smaller(a.lo, b.lo), range_larger(a.hi, b.hi)};
}

/* A double near the middle, and a bound of the distance of any member from it. */
static inline double range_middle(range a) {
  return 0.5 * a.lo + 0.5 * a.hi;
}

static inline double range_radius(range a, double middle) {
  return range_larger(range_up(a.hi - middle), range_up(middle - a.lo));
}

static inline double range_magnitude(range a) {
  return range_larger(fabs(a.lo), fabs(a.hi));
}

#endif
