#include "robust/range/range_exported.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "robust/range/range_function.h"
#include "robust/range/range_tanh_gated.h"

#include <mpfr.h>

enum { WORKING_BITS = 64 }; /* eleven more than the result */

/* ---- the error function, between doubles ------------------------------------------------------------------------- */

/* 1 + erf t = erfc(-t) without the cancellation of the left-hand side. */
static range one_plus_erf(double t) {
  MPFR_DECL_INIT(lo, WORKING_BITS);
  MPFR_DECL_INIT(hi, WORKING_BITS);
  mpfr_set_d(lo, -t, MPFR_RNDN);
  mpfr_erfc(hi, lo, MPFR_RNDU);
  mpfr_erfc(lo, lo, MPFR_RNDD);
  return (range){mpfr_get_d(lo, MPFR_RNDD), mpfr_get_d(hi, MPFR_RNDU)};
}

static range erf_value(double t) {
  MPFR_DECL_INIT(lo, WORKING_BITS);
  MPFR_DECL_INIT(hi, WORKING_BITS);
  mpfr_set_d(lo, t, MPFR_RNDN);
  mpfr_erf(hi, lo, MPFR_RNDU);
  mpfr_erf(lo, lo, MPFR_RNDD);
  return (range){mpfr_get_d(lo, MPFR_RNDD), mpfr_get_d(hi, MPFR_RNDU)};
}

/* 2 exp(-t^2) / sqrt(pi). */
static range erf_slope(double t) {
  static const range two_by_root_pi = {0x1.20dd750429b6dp+0, 0x1.20dd750429b6ep+0};
  const range square = range_mul(range_of(t), range_of(t));
  return range_mul(two_by_root_pi, (range){range_exp(-square.hi).lo, range_exp(-square.lo).hi});
}

static range erf_tangent(double t, range *value) {
  *value = erf_value(t);
  return erf_slope(t);
}

static range erf_gated_value(double t) {
  return range_scale(one_plus_erf(t), t);
}

static range erf_gated_tangent(double t, range *value) {
  const range gate = one_plus_erf(t);
  *value = range_scale(gate, t);
  return range_add(gate, range_scale(erf_slope(t), t));
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

static double erf_slope_estimate(double t) {
  return 0x1.20dd750429b6dp+0 * exp(-t * t);
}

static double erf_gated_estimate(double t) {
  return t * erfc(-t);
}

static double erf_gated_slope_estimate(double t) {
  return erfc(-t) + t * erf_slope_estimate(t);
}

/* ---- over intervals ---------------------------------------------------------------------------------------------- */

/* slope = 2 exp(-t^2) / sqrt(pi). */
static void enclose_erf_slope(interval *slope, const interval *t, interval_scratch *ws) {
  interval root;
  interval_init(&root, mpfr_get_prec(slope->lo));
  mpfr_const_pi(root.lo, MPFR_RNDD);
  mpfr_const_pi(root.hi, MPFR_RNDU);
  interval_sqrt(&root, &root);
  interval_sqr(slope, t, ws);
  interval_neg(slope, slope);
  interval_exp(slope, slope);
  interval_div(slope, slope, &root, ws);
  interval_scale_2exp(slope, slope, 1);
  interval_clear(&root);
}

/* erf is increasing. */
static void enclose_erf(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  mpfr_erf(value->lo, t->lo, MPFR_RNDD);
  mpfr_erf(value->hi, t->hi, MPFR_RNDU);
  enclose_erf_slope(slope, t, ws);
}

/* erfc(-t), which is increasing, by its ends. */
static void enclose_erf_gated(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  interval gate, turned;
  interval_init(&gate, mpfr_get_prec(value->lo));
  interval_init(&turned, mpfr_get_prec(value->lo));
  interval_neg(&turned, t);
  mpfr_erfc(gate.lo, turned.hi, MPFR_RNDD);
  mpfr_erfc(gate.hi, turned.lo, MPFR_RNDU);
  enclose_erf_slope(slope, t, ws);
  interval_mul(slope, slope, t, ws);
  interval_add(slope, slope, &gate);
  interval_mul(value, t, &gate, ws);
  interval_clear(&gate);
  interval_clear(&turned);
}

/* -4 t exp(-t^2) / sqrt(pi): convex below 0, concave above. */
const range_curve curve_erf = {.name = "erf",
                               .value = erf_value,
                               .tangent = erf_tangent,
                               .estimate = erf,
                               .slope_estimate = erf_slope_estimate,
                               .enclose = enclose_erf,
                               .bends = 1,
                               .bend = {{0.0, 0.0}},
                               .convex_first = true,
                               .second_derivative = 1.0};

/* 4 (1 - t^2) exp(-t^2) / sqrt(pi): zeros at +-1, where the bends have no width. */
const range_curve curve_erf_gated = {.name = "erf_gated",
                                     .value = erf_gated_value,
                                     .tangent = erf_gated_tangent,
                                     .estimate = erf_gated_estimate,
                                     .slope_estimate = erf_gated_slope_estimate,
                                     .enclose = enclose_erf_gated,
                                     .bends = 2,
                                     .bend = {{-1.0, -1.0}, {1.0, 1.0}},
                                     .convex_first = false,
                                     .second_derivative = 1.0};

/* ---- the tanh form ----------------------------------------------------------------------------------------------- */

const double exported_factor = 0x1.988454p-1, exported_cubic = 0x1.6e4e26p-5;

static range gated_value(double t) {
  return range_tanh_gated(t, range_of(exported_factor), range_of(exported_cubic));
}

static range gated_tangent(double t, range *value) {
  return range_tanh_gated_tangent(t, range_of(exported_factor), range_of(exported_cubic), value);
}

static double gated_estimate(double t) {
  return t / (1.0 + exp(-2.0 * exported_factor * (t + exported_cubic * t * t * t)));
}

static double gated_slope_estimate(double t) {
  const double u = exported_factor * (t + exported_cubic * t * t * t), gate = 1.0 / (1.0 + exp(-2.0 * u));
  return gate + 2.0 * t * gate * (1.0 - gate) * exported_factor * (1.0 + 3.0 * exported_cubic * t * t);
}

static void enclose_gated(interval *value, interval *slope, const interval *t, interval_scratch *ws) {
  interval factor, cubic;
  interval_init(&factor, 53);
  interval_init(&cubic, 53);
  interval_set_d(&factor, exported_factor);
  interval_set_d(&cubic, exported_cubic);
  range_enclose_tanh_gated(value, slope, t, &factor, &cubic, ws);
  interval_clear(&factor);
  interval_clear(&cubic);
}

/* Zeros of the second derivative at +-1.41850397712, as of curve_gelu_tanh (tests/unit/robust checks them). */
const range_curve curve_tanh_gated_float32 = {
    .name = "tanh_gated_float32",
    .value = gated_value,
    .tangent = gated_tangent,
    .estimate = gated_estimate,
    .slope_estimate = gated_slope_estimate,
    .enclose = enclose_gated,
    .bends = 2,
    .bend = {{-0x1.6b2314p+0, -0x1.6b2313p+0}, {0x1.6b2313p+0, 0x1.6b2314p+0}},
    .convex_first = false,
    .second_derivative = 1.0};
