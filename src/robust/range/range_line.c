#include "robust/range/range_line.h"

#include "robust/range/range_enclosure.h"
#include "robust/range/range_function.h"
#include "robust/range/range_gated.h"
#include "robust/range/range_line_extremes.h"

#include <float.h>

/* ---- the curves -------------------------------------------------------------------------------------------------- */

/* Phi(t) = erfc(-t / sqrt(2)) / 2 keeps its relative accuracy for t far below 0, where 1 + erf(t / sqrt(2)) cancels. */
static double gelu_estimate(double t) {
  return 0.5 * t * erfc(-t * 0x1.6a09e667f3bcdp-1);
}

static double gelu_slope_estimate(double t) {
  return 0.5 * erfc(-t * 0x1.6a09e667f3bcdp-1) + t * 0x1.9884533d43651p-2 * exp(-0.5 * t * t);
}

/* (1 + tanh u) / 2 = 1 / (1 + exp(-2u)), without the cancellation of the left-hand side. */
static double gelu_tanh(double t, double factor) {
  return t / (1.0 + exp(-2.0 * factor * (t + 0.044715 * t * t * t)));
}

static double gelu_tanh_slope(double t, double factor) {
  const double u = factor * (t + 0.044715 * t * t * t), gate = 1.0 / (1.0 + exp(-2.0 * u));
  return gate + 2.0 * t * gate * (1.0 - gate) * factor * (1.0 + 3.0 * 0.044715 * t * t);
}

static double gelu_tanh_estimate(double t) {
  return gelu_tanh(t, 0x1.9884533d43651p-1);
}

static double gelu_tanh_slope_estimate(double t) {
  return gelu_tanh_slope(t, 0x1.9884533d43651p-1);
}

static double gelu_bloom_estimate(double t) {
  return gelu_tanh(t, 0.79788456);
}

static double gelu_bloom_slope_estimate(double t) {
  return gelu_tanh_slope(t, 0.79788456);
}

/* t / (1 + exp(-factor t)). */
static double gated(double t, double factor) {
  return t / (1.0 + exp(-factor * t));
}

static double gated_slope(double t, double factor) {
  const double gate = 1.0 / (1.0 + exp(-factor * t)), mirrored = 1.0 / (1.0 + exp(factor * t));
  return gate + factor * t * gate * mirrored;
}

static double silu_estimate(double t) {
  return gated(t, 1.0);
}

static double silu_slope_estimate(double t) {
  return gated_slope(t, 1.0);
}

static double quick_gelu_estimate(double t) {
  return gated(t, 1.702);
}

static double quick_gelu_slope_estimate(double t) {
  return gated_slope(t, 1.702);
}

static double relu_estimate(double t) {
  return t > 0.0 ? t : 0.0;
}

static double relu_slope_estimate(double t) {
  return t > 0.0 ? 1.0 : t < 0.0 ? 0.0 : 0.5;
}

static double tanh_slope_estimate(double t) {
  const double y = tanh(t);
  return 1.0 - y * y;
}

static double inverse_sqrt_estimate(double t) {
  return 1.0 / sqrt(t);
}

static double inverse_sqrt_slope_estimate(double t) {
  return -0.5 / (t * sqrt(t));
}

/* (2 - t^2) phi(t): zeros at +-sqrt 2. */
const range_curve curve_gelu = {
    .name = "gelu",
    .value = range_gelu,
    .tangent = range_gelu_tangent,
    .estimate = gelu_estimate,
    .slope_estimate = gelu_slope_estimate,
    .enclose = range_enclose_gelu,
    .bends = 2,
    .bend = {{-0x1.6a09e667f3bcdp+0, -0x1.6a09e667f3bccp+0}, {0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bcdp+0}},
    .convex_first = false,
    .second_derivative = 1.0};

/* Zeros of the second derivative at +-1.41850400879..., simple and the only ones (tests/unit/robust checks both). */
const range_curve curve_gelu_tanh = {.name = "gelu_tanh",
                                     .value = range_gelu_tanh,
                                     .tangent = range_gelu_tanh_tangent,
                                     .estimate = gelu_tanh_estimate,
                                     .slope_estimate = gelu_tanh_slope_estimate,
                                     .enclose = range_enclose_gelu_tanh,
                                     .bends = 2,
                                     .bend = {{-0x1.6b2315p+0, -0x1.6b2314p+0}, {0x1.6b2314p+0, 0x1.6b2315p+0}},
                                     .convex_first = false,
                                     .second_derivative = 1.0};

/* At +-1.41850401003. */
const range_curve curve_gelu_bloom = {.name = "gelu_bloom",
                                      .value = range_gelu_bloom,
                                      .tangent = range_gelu_bloom_tangent,
                                      .estimate = gelu_bloom_estimate,
                                      .slope_estimate = gelu_bloom_slope_estimate,
                                      .enclose = range_enclose_gelu_bloom,
                                      .bends = 2,
                                      .bend = {{-0x1.6b2315p+0, -0x1.6b2314p+0}, {0x1.6b2314p+0, 0x1.6b2315p+0}},
                                      .convex_first = false,
                                      .second_derivative = 1.0};

/* g (1 - g) (2 - t tanh(t / 2)), g = 1 / (1 + exp(-t)): zeros where t tanh(t / 2), even and growing with |t|, is 2. */
const range_curve curve_silu = {
    .name = "silu",
    .value = range_silu,
    .tangent = range_silu_tangent,
    .estimate = silu_estimate,
    .slope_estimate = silu_slope_estimate,
    .enclose = range_enclose_silu,
    .bends = 2,
    .bend = {{-0x1.331e23ad9de12p+1, -0x1.331e23ad9de11p+1}, {0x1.331e23ad9de11p+1, 0x1.331e23ad9de12p+1}},
    .convex_first = false,
    .second_derivative = 1.0};

/* SiLU at 1.702 t, divided by 1.702: zeros where SiLU has them, divided by it. */
const range_curve curve_quick_gelu = {
    .name = "quick_gelu",
    .value = range_quick_gelu,
    .tangent = range_quick_gelu_tangent,
    .estimate = quick_gelu_estimate,
    .slope_estimate = quick_gelu_slope_estimate,
    .enclose = range_enclose_quick_gelu,
    .bends = 2,
    .bend = {{-0x1.68e3f15ed0fc8p+0, -0x1.68e3f15ed0fc7p+0}, {0x1.68e3f15ed0fc7p+0, 0x1.68e3f15ed0fc8p+0}},
    .convex_first = false,
    .second_derivative = 1.0};

const range_curve curve_relu = {.name = "relu",
                                .value = range_relu,
                                .tangent = range_relu_tangent,
                                .estimate = relu_estimate,
                                .slope_estimate = relu_slope_estimate,
                                .enclose = range_enclose_relu,
                                .bends = 1,
                                .bend = {{0.0, 0.0}},
                                .straight = true};

/* -2 tanh (1 - tanh^2): convex below 0, concave above. */
const range_curve curve_tanh = {.name = "tanh",
                                .value = range_tanh,
                                .tangent = range_tanh_tangent,
                                .estimate = tanh,
                                .slope_estimate = tanh_slope_estimate,
                                .enclose = range_enclose_tanh,
                                .bends = 1,
                                .bend = {{0.0, 0.0}},
                                .convex_first = true,
                                .second_derivative = 1.0};

const range_curve curve_inverse_sqrt = {.name = "inverse_sqrt",
                                        .value = range_inverse_sqrt,
                                        .tangent = range_inverse_sqrt_tangent,
                                        .estimate = inverse_sqrt_estimate,
                                        .slope_estimate = inverse_sqrt_slope_estimate,
                                        .convex_first = true};

/* ---- the line ---------------------------------------------------------------------------------------------------- */

static range_line line_of_slope(const range_curve *curve, double lo, double hi, double center, double slope) {
  const range height = range_add(range_line_extremes(curve, slope, lo, hi), range_scale(range_of(center), slope));
  const double middle = range_middle(height);
  return (range_line){slope, middle, range_radius(height, middle)};
}

/* In double: any slope gives an enclosure. */
static double chord_slope(const range_curve *curve, double lo, double hi) {
  return (curve->estimate(hi) - curve->estimate(lo)) / (hi - lo);
}

/* Whether a bend lies inside. */
static bool bends_within(const range_curve *curve, double lo, double hi) {
  for (int i = 0; i < curve->bends; i++) {
    if (lo < curve->bend[i].hi && curve->bend[i].lo < hi) return true;
  }
  return false;
}

range_line range_line_along(const range_curve *curve, double lo, double hi, double center) {
  if (!(isfinite(lo) && isfinite(hi) && lo <= center && center <= hi)) return (range_line){0.0, 0.0, INFINITY};
  /* a chord this short would be lost in the roundings of its ends */
  const bool is_short = hi - lo <= 0x1p-20 * (fabs(lo) + fabs(hi)) || hi - lo < DBL_MIN;
  const double tangent = curve->slope_estimate(center);
  if (is_short) return line_of_slope(curve, lo, hi, center, tangent);
  const range_line along_chord = line_of_slope(curve, lo, hi, center, chord_slope(curve, lo, hi));
  if (!bends_within(curve, lo, hi)) return along_chord;
  const range_line along_tangent = line_of_slope(curve, lo, hi, center, tangent);
  return along_tangent.error < along_chord.error ? along_tangent : along_chord;
}
