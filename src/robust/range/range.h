/* Ranges of reals between two doubles, rounded outward (range_rounding.h). For the scalars of remainders; src/interval
 * is for what needs more than 53 bits. Overflow gives infinite or NaN ends, which claim nothing: range_finite tells. */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_H
#define ATTCERT_ROBUST_RANGE_RANGE_H

#include <math.h>
#include <stdbool.h>

#include "robust/range/range_rounding.h"

#ifdef __FRAMAC__
#include "robust/range_lemmas.acsl"
#endif

typedef struct {
  double lo, hi;
} range;

/*@ terminates \true;
    assigns \nothing;
    ensures ends: \result.lo == x && \result.hi == x; */
static inline range range_of(double x) {
  return (range){x, x};
}

/*@ terminates \true;
    assigns \nothing;
    ensures finite: \result <==> finite_double(a.lo) && finite_double(a.hi); */
static inline bool range_finite(range a) {
  return isfinite(a.lo) && isfinite(a.hi);
}

/*@ terminates \true;
    assigns \nothing;
    ensures contains: \forall real x, y; in_range(a.lo, a.hi, x) ==> in_range(b.lo, b.hi, y) ==>
      in_range(\result.lo, \result.hi, x + y); */
static inline range range_add(range a, range b) {
  return (range){range_add_down(a.lo, b.lo), range_add_up(a.hi, b.hi)};
}

/*@ terminates \true;
    assigns \nothing;
    ensures contains: \forall real x, y; in_range(a.lo, a.hi, x) ==> in_range(b.lo, b.hi, y) ==>
      in_range(\result.lo, \result.hi, x - y); */
static inline range range_sub(range a, range b) {
  return (range){range_sub_down(a.lo, b.hi), range_sub_up(a.hi, b.lo)};
}

/* The smaller and the larger of two numbers; NaN when one of them is. */
/*@ terminates \true;
    assigns \nothing;
    ensures one: \result == a || \result == b;
    ensures lower: \forall real x; lower_end(a, x) || lower_end(b, x) ==> lower_end(\result, x);
    ensures unbounded: claims_nothing_below(a) || claims_nothing_below(b) ==> claims_nothing_below(\result);
    ensures nan: nan_double(a) || nan_double(b) ==> nan_double(\result); */
static inline double range_smaller(double a, double b) {
  if (isnan(a)) return a;
  return isnan(b) || b <= a ? b : a;
}

/*@ terminates \true;
    assigns \nothing;
    ensures one: \result == a || \result == b;
    ensures upper: \forall real x; upper_end(a, x) || upper_end(b, x) ==> upper_end(\result, x);
    ensures unbounded: claims_nothing_above(a) || claims_nothing_above(b) ==> claims_nothing_above(\result);
    ensures nan: nan_double(a) || nan_double(b) ==> nan_double(\result); */
static inline double range_larger(double a, double b) {
  if (isnan(a)) return a;
  return isnan(b) || b >= a ? b : a;
}

/* Two of the four products of ends bound those of the members from below, two from above, by the sign of a member and
 * of an end. */
/*@ terminates \true;
    assigns \nothing;
    ensures contains: \forall real x, y; in_range(a.lo, a.hi, x) ==> in_range(b.lo, b.hi, y) ==>
      in_range(\result.lo, \result.hi, prod(x, y)); */
static inline range range_mul(range a, range b) {
  const double lo = range_smaller(range_smaller(range_mul_down(a.lo, b.lo), range_mul_down(a.lo, b.hi)),
                                  range_smaller(range_mul_down(a.hi, b.lo), range_mul_down(a.hi, b.hi)));
  const double hi = range_larger(range_larger(range_mul_up(a.lo, b.lo), range_mul_up(a.lo, b.hi)),
                                 range_larger(range_mul_up(a.hi, b.lo), range_mul_up(a.hi, b.hi)));
  return (range){lo, hi};
}

/* a / b for b > 0; NaN ends otherwise. */
/*@ terminates \true;
    assigns \nothing;
    ensures contains: \forall real x, y; in_range(a.lo, a.hi, x) ==> in_range(b.lo, b.hi, y) ==> 0.0 < y ==>
      in_range(\result.lo, \result.hi, quo(x, y)); */
static inline range range_div(range a, range b) {
  if (isnan(b.lo) || b.lo <= 0.0) return (range){NAN, NAN};
  return (range){range_div_down(a.lo, a.lo >= 0.0 ? b.hi : b.lo), range_div_up(a.hi, a.hi >= 0.0 ? b.lo : b.hi)};
}

/* The square root; of the part that is not negative. */
/*@ terminates \true;
    assigns \nothing;
    ensures contains: \forall real x; in_range(a.lo, a.hi, x) ==> 0.0 <= x ==>
      in_range(\result.lo, \result.hi, rroot(x)); */
static inline range range_sqrt(range a) {
  return (range){range_sqrt_down(a.lo > 0.0 ? a.lo : 0.0), range_sqrt_up(a.hi)};
}

/*@ terminates \true;
    assigns \nothing;
    ensures contains: \forall real x; in_range(a.lo, a.hi, x) ==> finite_double(factor) ==>
      in_range(\result.lo, \result.hi, prod(x, factor)); */
static inline range range_scale(range a, double factor) {
  return range_mul(a, range_of(factor));
}

/*@ terminates \true;
    assigns \nothing;
    ensures contains: \forall real x; in_range(a.lo, a.hi, x) || in_range(b.lo, b.hi, x) ==>
      in_range(\result.lo, \result.hi, x); */
static inline range range_hull(range a, range b) {
  return (range){range_smaller(a.lo, b.lo), range_larger(a.hi, b.hi)};
}

/* Any double, near the middle, and a bound of the distance of any member from a number. */
/*@ terminates \true;
    assigns \nothing;
    ensures any: \true; */
static inline double range_middle(range a) {
  return range_near_middle(a.lo, a.hi);
}

/*@ terminates \true;
    assigns \nothing;
    ensures bounds: finite_double(middle) ==> \forall real x; in_range(a.lo, a.hi, x) ==>
      upper_end(\result, \abs(x - middle));
    ensures unbounded: !finite_double(middle) ==> claims_nothing_above(\result); */
static inline double range_radius(range a, double middle) {
  return range_larger(range_sub_up(a.hi, middle), range_sub_up(middle, a.lo));
}

/*@ terminates \true;
    assigns \nothing;
    ensures bounds: \forall real x; in_range(a.lo, a.hi, x) ==> upper_end(\result, \abs(x)); */
static inline double range_magnitude(range a) {
  return range_larger(fabs(a.lo), fabs(a.hi));
}

#endif
