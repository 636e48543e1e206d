#include "executed_activation.h"

#include <math.h>

static const double FACTOR = 0.79788456080286536, CUBIC = 0.044715; /* sqrt(2/pi) */

/* x/2 (1 + phi). */
static double halved(double x, double phi, execution *e) {
  const double half = execution_kept(0.5 * x, e);
  switch (e->m.grouping % 4) {
  case 0:
    return execution_computed(half * execution_kept(1.0 + phi, e), e);
  case 1:
    return execution_computed(x * execution_kept(0.5 * execution_kept(1.0 + phi, e), e), e);
  case 2:
    return execution_computed(0.5 * execution_kept(x * execution_kept(1.0 + phi, e), e), e);
  default:
    return execution_computed(fma(half, phi, half), e);
  }
}

static double executed_gelu(double x, execution *e) {
  if (e->m.grouping / 4 % 4 == 0)
    return execution_computed(x * execution_kept(execution_function(0.5 * erfc(-x * sqrt(0.5)), e), e), e);
  const double t =
      e->m.grouping / 4 % 2 == 0 ? x / execution_constant(sqrt(2.0), e) : x * execution_constant(sqrt(0.5), e);
  return halved(x, execution_kept(execution_function(erf(execution_kept(t, e)), e), e), e);
}

/* sqrt(2/pi) (x + 0.044715 x^3). */
static double inside(double x, execution *e) {
  const double c = execution_constant(FACTOR, e), a = execution_constant(CUBIC, e);
  const double square = execution_kept(x * x, e), scaled = execution_kept(x * c, e);
  switch (e->m.grouping / 4 % 5) {
  case 0: {
    const double cube = execution_kept(execution_function(pow(x, 3.0), e), e);
    return execution_kept(c * execution_kept(x + execution_kept(a * cube, e), e), e);
  }
  case 1: {
    const double cube = execution_kept(square * x, e);
    return execution_kept(c * execution_kept(x + execution_kept(a * cube, e), e), e);
  }
  case 2:
    return execution_kept(scaled * execution_kept(1.0 + execution_kept(a * square, e), e), e);
  case 3: {
    const double along = execution_kept(execution_kept(a * x, e) * x, e);
    return execution_kept(scaled * execution_kept(1.0 + along, e), e);
  }
  default: {
    const double both = execution_kept(c * a, e);
    return execution_kept(x * execution_kept(c + execution_kept(both * square, e), e), e);
  }
  }
}

static double executed_gelu_tanh(double x, execution *e) {
  const double w = inside(x, e);
  if (e->m.grouping / 20 % 4 == 0)
    return execution_computed(x * execution_kept(execution_function(1.0 / (1.0 + exp(-2.0 * w)), e), e), e);
  return halved(x, execution_kept(execution_function(tanh(w), e), e), e);
}

/* x g(t), g = 1 / (1 + exp(-t)): the function, a quotient, or a product with the reciprocal. */
static double executed_gated(double x, double t, execution *e) {
  const double gate = execution_kept(execution_function(1.0 / (1.0 + exp(-t)), e), e);
  const double sum = execution_kept(1.0 + execution_kept(execution_function(exp(-t), e), e), e);
  if (e->m.grouping % 3 == 0) return execution_computed(x * gate, e);
  if (e->m.grouping % 3 == 1) return execution_computed(x / sum, e);
  return execution_computed(x * execution_kept(1.0 / sum, e), e);
}

double executed_activation(const range_curve *curve, double x, execution *e) {
  if (curve == &curve_relu) return fmax(x, 0.0);
  if (curve == &curve_tanh) return execution_function(tanh(x), e);
  if (curve == &curve_silu) return executed_gated(x, x, e);
  if (curve == &curve_quick_gelu) return executed_gated(x, execution_kept(x * execution_constant(1.702, e), e), e);
  return curve == &curve_gelu ? executed_gelu(x, e) : executed_gelu_tanh(x, e);
}
