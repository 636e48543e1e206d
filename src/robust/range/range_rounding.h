/* The operations of doubles that round, each followed by one step of nextafter outward: an operation to nearest is off
 * by at most half an ulp, underflow included, so the neighbour of its result is beyond the exact one (Muller et al.,
 * Handbook of Floating-Point Arithmetic, 2nd ed., section 2.2). Overflow gives an infinite end or NaN, which claim
 * nothing, or, in the other direction, the largest double, which the exact result is beyond.
 *
 * Proofs read doubles as reals and would not see a rounding. They see the contracts below, without the bodies, which
 * say no more than the directions; these are trusted (proofs/TRUST.md). */
#ifndef ATTCERT_ROBUST_RANGE_RANGE_ROUNDING_H
#define ATTCERT_ROBUST_RANGE_RANGE_ROUNDING_H

#include <math.h>

#ifdef __FRAMAC__
#include "arithmetic/square_root.acsl"
#include "robust/range.acsl"
#endif

/* x + y */
/*@ terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> lower_end(\result, x + y);
    ensures unbounded: claims_nothing_below(x) || claims_nothing_below(y) ==> claims_nothing_below(\result); */
static inline double range_add_down(double x, double y);
/*@ terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> upper_end(\result, x + y);
    ensures unbounded: claims_nothing_above(x) || claims_nothing_above(y) ==> claims_nothing_above(\result); */
static inline double range_add_up(double x, double y);

/* x - y */
/*@ terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> lower_end(\result, x - y);
    ensures unbounded: claims_nothing_below(x) || claims_nothing_above(y) ==> claims_nothing_below(\result); */
static inline double range_sub_down(double x, double y);
/*@ terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> upper_end(\result, x - y);
    ensures unbounded: claims_nothing_above(x) || claims_nothing_below(y) ==> claims_nothing_above(\result); */
static inline double range_sub_up(double x, double y);

/* x - y / 2 for y > 0. A halved subnormal y is off by 2^-1075 at most: half the step where the difference is exact, a
 * quarter of it where it rounds, which then has another half. */
/*@ requires positive: 0.0 < y;
    terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> upper_end(\result, x - 0.5 * y);
    ensures unbounded: claims_nothing_above(x) || nan_double(y) ==> claims_nothing_above(\result); */
static inline double range_sub_half_up(double x, double y);

/* x y */
/*@ terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> lower_end(\result, prod(x, y));
    ensures unbounded: product_unbounded_below(x, y) ==> claims_nothing_below(\result);
    ensures nan: nan_double(x) || nan_double(y) ==> nan_double(\result); */
static inline double range_mul_down(double x, double y);
/*@ terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> upper_end(\result, prod(x, y));
    ensures unbounded: product_unbounded_above(x, y) ==> claims_nothing_above(\result);
    ensures nan: nan_double(x) || nan_double(y) ==> nan_double(\result); */
static inline double range_mul_up(double x, double y);

/* x / y; of y < 0 and y = 0 nothing is said. */
/*@ terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> 0.0 < y ==> lower_end(\result, quo(x, y));
    ensures by_infinity: finite_double(x) ==> plus_infinity_double(y) ==> lower_end(\result, 0.0);
    ensures unbounded: claims_nothing_below(x) ==> 0.0 < y ==> claims_nothing_below(\result);
    ensures nan: nan_double(y) ==> nan_double(\result); */
static inline double range_div_down(double x, double y);
/*@ terminates \true;
    assigns \result \from x, y;
    ensures rounded: finite_double(x) ==> finite_double(y) ==> 0.0 < y ==> upper_end(\result, quo(x, y));
    ensures by_infinity: finite_double(x) ==> plus_infinity_double(y) ==> upper_end(\result, 0.0);
    ensures unbounded: claims_nothing_above(x) ==> 0.0 < y ==> claims_nothing_above(\result);
    ensures nan: nan_double(y) ==> nan_double(\result); */
static inline double range_div_up(double x, double y);

/* sqrt(x); NaN for x < 0. */
/*@ terminates \true;
    assigns \result \from x;
    ensures rounded: finite_double(x) ==> 0.0 <= x ==> lower_end(\result, rroot(x));
    ensures nan: nan_double(x) ==> nan_double(\result); */
static inline double range_sqrt_down(double x);
/*@ terminates \true;
    assigns \result \from x;
    ensures rounded: finite_double(x) ==> 0.0 <= x ==> upper_end(\result, rroot(x));
    ensures unbounded: claims_nothing_above(x) ==> claims_nothing_above(\result); */
static inline double range_sqrt_up(double x);

/* A double near the middle of two: nothing is claimed of it. */
/*@ terminates \true;
    assigns \result \from lo, hi; */
static inline double range_near_middle(double lo, double hi);

#ifndef __FRAMAC__

static inline double range_down(double x) {
  return nextafter(x, -INFINITY);
}

static inline double range_up(double x) {
  return nextafter(x, INFINITY);
}

static inline double range_add_down(double x, double y) {
  return range_down(x + y);
}

static inline double range_add_up(double x, double y) {
  return range_up(x + y);
}

static inline double range_sub_down(double x, double y) {
  return range_down(x - y);
}

static inline double range_sub_up(double x, double y) {
  return range_up(x - y);
}

static inline double range_sub_half_up(double x, double y) {
  return range_up(x - 0.5 * y);
}

static inline double range_mul_down(double x, double y) {
  return range_down(x * y);
}

static inline double range_mul_up(double x, double y) {
  return range_up(x * y);
}

static inline double range_div_down(double x, double y) {
  return range_down(x / y);
}

static inline double range_div_up(double x, double y) {
  return range_up(x / y);
}

static inline double range_sqrt_down(double x) {
  return range_down(sqrt(x));
}

static inline double range_sqrt_up(double x) {
  return range_up(sqrt(x));
}

static inline double range_near_middle(double lo, double hi) {
  return 0.5 * lo + 0.5 * hi;
}

#endif

#endif
