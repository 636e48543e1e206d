#include "robust/range/range_function.h"

#include "robust/range/range_tanh_gated.h"

#include <mpfr.h>

enum { WORKING_BITS = 64 }; /* eleven more than the result */

static range from_ends(mpfr_srcptr lo, mpfr_srcptr hi) {
  return (range){mpfr_get_d(lo, MPFR_RNDD), mpfr_get_d(hi, MPFR_RNDU)};
}

/* An increasing function of one variable. */
static range increasing(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), range t) {
  MPFR_DECL_INIT(lo, WORKING_BITS);
  MPFR_DECL_INIT(hi, WORKING_BITS);
  mpfr_set_d(lo, t.lo, MPFR_RNDD);
  mpfr_set_d(hi, t.hi, MPFR_RNDU);
  function(lo, lo, MPFR_RNDD);
  function(hi, hi, MPFR_RNDU);
  return from_ends(lo, hi);
}

range range_exp(double t) {
  return increasing(mpfr_exp, range_of(t));
}

range range_tanh(double t) {
  return increasing(mpfr_tanh, range_of(t));
}

range range_inverse_sqrt(double t) {
  MPFR_DECL_INIT(lo, WORKING_BITS);
  MPFR_DECL_INIT(hi, WORKING_BITS);
  mpfr_set_d(lo, t, MPFR_RNDN);
  mpfr_rec_sqrt(hi, lo, MPFR_RNDU);
  mpfr_rec_sqrt(lo, lo, MPFR_RNDD);
  return from_ends(lo, hi);
}

range range_inverse_sqrt_tangent(double t, range *value) {
  *value = range_inverse_sqrt(t);
  return range_scale(range_div(*value, range_of(t)), -0.5);
}

/* The members of a from 0 to 1. */
static range within_unit(range a) {
  return (range){range_larger(a.lo, 0.0), range_smaller(a.hi, 1.0)};
}

range range_tanh_tangent(double t, range *value) {
  *value = range_tanh(t);
  return within_unit(range_sub(range_of(1.0), range_mul(*value, *value)));
}

range range_relu(double t) {
  return range_of(range_larger(t, 0.0));
}

range range_relu_tangent(double t, range *value) {
  *value = range_relu(t);
  if (t > 0.0) return range_of(1.0);
  return (range){0.0, t < 0.0 ? 0.0 : 1.0};
}

/* Phi(t) = erfc(-t / sqrt 2) / 2, increasing in t: -t / sqrt 2 rounded up, then erfc down, bounds it from below. */
static range normal_distribution(double t) {
  MPFR_DECL_INIT(root, WORKING_BITS);
  MPFR_DECL_INIT(lo, WORKING_BITS);
  MPFR_DECL_INIT(hi, WORKING_BITS);
  mpfr_set_d(lo, -t, MPFR_RNDN);
  mpfr_set_d(hi, -t, MPFR_RNDN);
  mpfr_sqrt_ui(root, 2, t > 0.0 ? MPFR_RNDU : MPFR_RNDD); /* makes -t / root larger */
  mpfr_div(lo, lo, root, MPFR_RNDU);
  mpfr_sqrt_ui(root, 2, t > 0.0 ? MPFR_RNDD : MPFR_RNDU);
  mpfr_div(hi, hi, root, MPFR_RNDD);
  mpfr_erfc(lo, lo, MPFR_RNDD);
  mpfr_erfc(hi, hi, MPFR_RNDU);
  return range_scale(from_ends(lo, hi), 0.5);
}

range range_gelu(double t) {
  return range_scale(normal_distribution(t), t);
}

range range_gelu_tangent(double t, range *value) {
  static const range density_at_0 = {0x1.9884533d43650p-2, 0x1.9884533d43651p-2}; /* 1 / sqrt(2 pi) */
  const range half_square = range_scale(range_mul(range_of(t), range_of(t)), -0.5);
  const range bell = {range_exp(half_square.lo).lo, range_exp(half_square.hi).hi};
  const range phi = normal_distribution(t);
  *value = range_scale(phi, t);
  return range_add(phi, range_scale(range_mul(density_at_0, bell), t));
}

static const range cubic_of_gelu = {0x1.6e4e26d4801f7p-5, 0x1.6e4e26d4801f8p-5};    /* 0.044715 */
static const range sqrt_two_over_pi = {0x1.9884533d43650p-1, 0x1.9884533d43651p-1}; /* sqrt(2 / pi) */
static const range eight_digits = {0x1.988453365de00p-1, 0x1.988453365de01p-1};     /* 0.79788456 */

/* 1 / (1 + exp(-2u)), u = factor (t + cubic t^3). */
static range gelu_tanh_gate(double t, range factor, range cubic) {
  const range square = range_mul(range_of(t), range_of(t));
  const range u = range_mul(factor, range_scale(range_add(range_of(1.0), range_mul(cubic, square)), t));
  const range falling = {range_exp(-2.0 * u.hi).lo, range_exp(-2.0 * u.lo).hi};
  return within_unit(range_div(range_of(1.0), range_add(range_of(1.0), falling)));
}

range range_tanh_gated(double t, range factor, range cubic) {
  return range_scale(gelu_tanh_gate(t, factor, cubic), t);
}

/* gate + t gate (1 - gate) 2 u', u' = factor (1 + 3 cubic t^2); 1 - gate(t) = gate(-t). */
range range_tanh_gated_tangent(double t, range factor, range cubic, range *value) {
  const range gate = gelu_tanh_gate(t, factor, cubic), mirrored = gelu_tanh_gate(-t, factor, cubic);
  const range square = range_mul(range_of(t), range_of(t));
  const range inner = range_add(range_of(1.0), range_scale(range_mul(cubic, square), 3.0));
  const range slope = range_scale(range_mul(factor, inner), 2.0 * t);
  *value = range_scale(gate, t);
  return range_add(gate, range_mul(range_mul(gate, mirrored), slope));
}

range range_gelu_tanh(double t) {
  return range_tanh_gated(t, sqrt_two_over_pi, cubic_of_gelu);
}

range range_gelu_tanh_tangent(double t, range *value) {
  return range_tanh_gated_tangent(t, sqrt_two_over_pi, cubic_of_gelu, value);
}

range range_gelu_bloom(double t) {
  return range_tanh_gated(t, eight_digits, cubic_of_gelu);
}

range range_gelu_bloom_tangent(double t, range *value) {
  return range_tanh_gated_tangent(t, eight_digits, cubic_of_gelu, value);
}
