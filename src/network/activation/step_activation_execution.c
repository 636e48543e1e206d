/* What executing an activation adds. */
#include "linalg/rounding/upward.h"
#include "network/activation/step_activation.h"
#include "robust/range/range_function.h"

/* The function inside GELU, phi(t) = erf or tanh, |phi| <= 1 and |phi(t)| <= |t| phi'(0), at an argument that is off
 * from t by a factor within theta of 1, and by what underflows. */
typedef struct {
  double along;    /* >= |t| phi'(0) */
  double steepest; /* >= max |t phi'(t)| over the arguments */
  double theta;
  double below; /* what underflows, times phi' */
} executed_argument;

/* A double <= |t|, t an argument of at least `t` > 0 that is off by a factor within theta of 1. */
static double least_argument(double t, double theta) {
  return theta <= 0.5 ? t * (1.0 - theta) * (1.0 - 16.0 * UNIT_ROUNDOFF) : 0.0;
}

/* erf(x / sqrt 2), least <= |x| <= x: |t| phi'(0) = sqrt(2 / pi) |x|, t phi'(t) = 2 / sqrt(pi) t exp(-t^2), which falls
 * from t = 1 / sqrt 2 on, where it is sqrt(2 / (pi e)) < 0.484. The constant is off by two roundings and stored, the
 * product is computed and stored; phi' < 2. */
static executed_argument argument_of_erf(double x, double least, const step_format *format) {
  const double theta = step_format_roundings(format, 3.0, 2.0), t = least_argument(0.7071 * least, theta);
  const double beyond = upward_mul(1.1284, upward_mul(t, range_exp(-t * t * (1.0 - 4.0 * UNIT_ROUNDOFF)).hi));
  return (executed_argument){.along = upward_mul(0.798, x),
                             .steepest = t >= 1.0 && beyond < 0.484 ? beyond : 0.484,
                             .theta = theta,
                             .below = 3.0 * step_format_tiny(format)};
}

/* tanh(w), w = sqrt(2/pi) (x + 0.044715 x^3): phi'(0) = 1, t phi'(t) = t / cosh^2 t < 0.448, and at most 4 t exp(-2 t),
 * which falls from t = 1/2 on. All terms of w have one sign, so that their relative errors bound that of w. Each term
 * is computed by at most seven operations, in any of the orders,
 *   x^3 by two, or a power off by f; its coefficient, its product; the sum; the factor, its product
 *   (x c) (1 + a x^2): x c and c, a and a x^2 and x^2, the sum, the product
 *   c x + (c a) x^3, x (c + (c a) x^2): fewer on either term, where c a is one more product
 * and of the constants' two roundings each one more is computed. What underflows: at most one product is multiplied by
 * x (x c underflows only where 1 + a x^2 is 1). What overflows is one of x^2, x^3 and their multiples: as all signs
 * agree and no factor is 0, w becomes infinite with the sign of x, and tanh +-1, as it is within exp(-1900): nothing
 * overflows below x^3 = 2^15, w > 1,000. */
static executed_argument argument_of_tanh(double x, double least, const step_format *format) {
  const double theta = upward_compound(step_format_roundings(format, 9.0, 7.0), step_format_function(format));
  const double cubic = upward_add(1.0, upward_mul(0.044716, upward_mul(x, x)));
  const double t = least_argument(0.7978 * least * (1.0 + 0.0447 * least * least), theta);
  const double beyond = upward_mul(4.0, upward_mul(t, range_exp(-2.0 * t).hi));
  return (executed_argument){.along = upward_mul(0.798, upward_mul(x, cubic)),
                             .steepest = t >= 1.0 && beyond < 0.448 ? beyond : 0.448,
                             .theta = theta,
                             .below = upward_mul(step_format_tiny(format), upward_add(x, 5.0))};
}

/* y = x/2 (1 + phi(t)). The argument moves phi by
 *   moved = theta / (1 - theta) max |t phi'(t)| + below,
 * as the derivative is taken at some t (1 + sigma), |sigma| <= theta; or theta |t| phi'(0) in place of the maximum. phi
 * is off by f, its function's error and the rounding that stores it: by f min(1, |t| phi'(0) + moved). The sum rounds
 * and is stored, the last product rounds (and is stored behind all: step_execution_add); halving is exact:
 *   (|x|/2 (moved + f |phi|)) (1 + g) + g |y|,   g = (1 + gamma_2) (1 + v) - 1,
 * where the sum is of numbers of opposite sign, too: its error is relative to 1 + phi. x Phi(x), with Phi = (1 + phi) /
 * 2 as one function, of an argument that moves or not: f |Phi'| instead of f |phi|/2, |x Phi'| <= |y| + |x|/2 moved,
 * and one rounding. Four results may underflow, one of them times x. */
static double gelu_error(double x, double y, const executed_argument *t, const step_format *format) {
  const double f = upward_compound(step_format_function(format), step_format_roundings(format, 0.0, 1.0));
  const double last = step_format_roundings(format, 2.0, 1.0), tiny = step_format_tiny(format);
  const double along = t->along < t->steepest ? t->along : t->steepest;
  const double moved = upward_add(upward_mul(along, upward_inverse(t->theta)), t->below);
  const double inner = upward_add(t->along, moved), shift = upward_mul(0.5 * x, moved);
  const double of_inner = 0.5 * upward_mul(x, inner < 1.0 ? inner : 1.0), of_whole = upward_add(y, shift);
  const double of_function = upward_mul(f, of_inner < of_whole ? of_whole : of_inner);
  const double inside = upward_mul(upward_add(shift, of_function), upward_add(1.0, last));
  return upward_add3(inside, upward_mul(last, y), upward_mul(tiny, upward_add(x, 4.0)));
}

/* x g(t), g(t) = 1 / (1 + exp(-t)), t = x or 1.702 x. The constant is off by two roundings and stored, the product is
 * computed and stored: by theta together, and by what underflows, which moves y by
 *   shift = |x| (theta / (1 - theta) max |t g'(t)| + below),   |t g'(t)| < 0.2240, g' <= 1/4;   of t = x: 0.
 * Then x g, or x / (1 + exp(-t)), or x (1 / (1 + exp(-t))): the exponential is off by f, which is less of 1 + exp(-t),
 * or g is; the sum, the reciprocal and the product round, and three results are stored:
 *   shift + R (|y| + shift),   R = (1 + f / (1 - f)) (1 + gamma_3) (1 + v_3) - 1.
 * What underflows: exp(-t), which moves y by less than |x|; g or the reciprocal, times x; the product. Where exp(-t) or
 * the sum overflows, y becomes 0, and was at most 4 |x| / largest, as R <= 1/2. */
static double gated_error(const range_curve *curve, double x, double y, const step_format *format) {
  const bool scaled = curve == &curve_quick_gelu;
  const double theta = scaled ? step_format_roundings(format, 3.0, 2.0) : 0.0, tiny = step_format_tiny(format);
  const double f = upward_inverse(step_format_function(format)), t = scaled ? upward_mul(1.7021, x) : x;
  const double relative = upward_compound(f, step_format_roundings(format, 3.0, 3.0));
  const double moved = scaled ? upward_add(upward_mul(0.2240, upward_inverse(theta)), upward_mul(3.0, tiny)) : 0.0;
  const double shift = upward_mul(x, moved),
               largest = format->narrows ? format->store.largest : format->compute.largest;
  const bool overflows = !(range_exp(upward_mul(t, upward_add(1.0, theta))).hi <= 0.25 * largest);
  const double lost = overflows ? upward_div(upward_mul(4.0, x), largest) : 0.0;
  const double inside = upward_add3(shift, upward_mul(relative, upward_add(y, shift)), lost);
  return relative <= 0.5 ? upward_add(inside, upward_mul(tiny, upward_mul(4.0, upward_add(x, 1.0)))) : INFINITY;
}

/* tanh is off by f, as a function is. */
static double tanh_error(double y, const step_format *format) {
  return upward_add(upward_mul(step_format_function(format), y < 1.0 ? y : 1.0), format->compute.tiny);
}

/* A double <= |z| of entry c in row i of a measured form. */
static double least_size(const form *f, int i, int c) {
  const double least = fabs(f->center[(size_t)i * (size_t)f->cols + (size_t)c]) - form_spread(f, i, c);
  return least > 0.0 ? least * (1.0 - 4.0 * UNIT_ROUNDOFF) : 0.0;
}

/* ReLU computes nothing. Beside what is inside phi, no number exceeds 2 |x| and its roundings. */
attcert_status step_activation_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                         const step_format *format, attcert_error *err) {
  const range_curve *const curve = s->of;
  (void)symbols;
  (void)err;
  if (curve == &curve_relu) return ATTCERT_OK;
  for (int i = 0; i < out->rows; i++) {
    for (int c = 0; c < out->cols; c++) {
      const double x = step_execution_size(in[0], i, c), y = step_execution_size(out, i, c);
      const double least = least_size(in[0], i, c);
      const executed_argument t =
          curve == &curve_gelu ? argument_of_erf(x, least, format) : argument_of_tanh(x, least, format);
      if (curve == &curve_tanh)
        step_execution_add(out, i, c, tanh_error(y, format), 1.0, format);
      else if (curve == &curve_silu || curve == &curve_quick_gelu)
        step_execution_add(out, i, c, gated_error(curve, x, y, format), step_execution_keep(2.0 * x, 2.0 * x, format),
                           format);
      else if (curve != &curve_gelu && curve != &curve_gelu_tanh)
        step_execution_add(out, i, c, INFINITY, INFINITY, format); /* nothing is known of how it is executed */
      else
        step_execution_add(out, i, c, gelu_error(x, y, &t, format), step_execution_keep(4.0 * x, 4.0 * x, format),
                           format);
    }
  }
  return ATTCERT_OK;
}
