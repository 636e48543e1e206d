/* An activation function or tanh, entry by entry. In double: the estimates of curve and slope. */
#include "linalg/upward.h"
#include "robust/step/step.h"

static int fresh(int *width, const step *s, const step_row *row) {
  (void)row;
  width[0] = s->cols;
  return 1;
}

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  return operation_activation(out, in[0], s->curve, symbols, origin, err);
}

/* ---- what an execution adds -------------------------------------------------------------------------------------- */

/* The function inside an activation, phi(t) = erf or tanh, evaluated at a number that is off from t by a factor within
 * theta of 1, and itself off by f: |phi(t (1 + theta)) - phi(t)| <= theta / (1 - theta) max |t phi'(t)|, as the
 * derivative is taken at some t (1 + sigma), |sigma| <= theta; or at most theta |t| phi'(0). steepest: max |t phi'(t)|;
 * along: a bound of |t| phi'(0). |phi| <= 1 and |phi(t)| <= |t| phi'(0). */
static double inner_error(double along, double steepest, double theta, const step_format *format) {
  const double moved = upward_mul(along < steepest ? along : steepest, upward_inverse(theta));
  const double value = upward_add(along, moved);
  return upward_add(moved, upward_mul(step_format_function(format), value < 1.0 ? value : 1.0));
}

/* erf(x / sqrt 2): |t| phi'(0) = sqrt(2 / pi) |x|, max |t phi'(t)| = sqrt(2 / (pi e)) < 0.484 at t = 1 / sqrt 2; the
 * constant and the product are rounded. What underflows on the way is multiplied by phi' < 2. */
static double error_function(double x, const step_format *format) {
  const double inner = inner_error(upward_mul(0.798, x), 0.484, step_format_gamma(format, 2.0), format);
  return upward_add(inner, 3.0 * format->compute.tiny);
}

/* tanh(w), w = sqrt(2/pi) (x + 0.044715 x^3): phi'(0) = 1, max |t / cosh^2 t| < 0.448; all terms of w have one sign.
 * Seven roundings: two for x^3, or a power off by f; two for its coefficient, one for the sum, two for the factor. What
 * underflows: at most one product is multiplied by x. */
static double gelu_tanh_function(double x, const step_format *format) {
  const double cubic = upward_add(1.0, upward_mul(0.044716, upward_mul(x, x)));
  const double along = upward_mul(0.798, upward_mul(x, cubic));
  const double theta = upward_compound(step_format_gamma(format, 7.0), step_format_function(format));
  const double inner = inner_error(along, 0.448, theta, format);
  return upward_add(inner, upward_mul(format->compute.tiny, upward_add(x, 6.0)));
}

/* x/2 (1 + phi') for phi' off by e: the sum and the product round once each, halving is exact,
 *   |x|/2 e (1 + u)^2 + gamma_2 |y|,
 * and each of four results may underflow, one of them times x. */
static double gelu_error(double x, double y, double e, const step_format *format) {
  const double gamma = step_format_gamma(format, 2.0);
  const double inner = upward_mul(0.5 * x, upward_mul(e, upward_add(1.0, gamma)));
  const double below = upward_mul(format->compute.tiny, upward_add(x, 4.0));
  return upward_add3(inner, upward_mul(gamma, y), below);
}

/* ReLU computes nothing. tanh is off by f, as a function is; GELU: gelu_error. */
static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  const range_curve *const curve = s->curve;
  (void)symbols;
  (void)err;
  if (curve == &curve_relu) return ATTCERT_OK;
  for (int i = 0; i < out->rows; i++) {
    for (int c = 0; c < out->cols; c++) {
      const double x = step_execution_size(in[0], i, c), y = step_execution_size(out, i, c);
      double error = upward_add(upward_mul(step_format_function(format), y < 1.0 ? y : 1.0), format->compute.tiny);
      double met = upward_mul(4.0, x);
      if (curve == &curve_gelu) error = gelu_error(x, y, error_function(x, format), format);
      if (curve == &curve_gelu_tanh) {
        error = gelu_error(x, y, gelu_tanh_function(x, format), format);
        met = upward_mul(met, upward_add(1.0, upward_mul(x, x)));
      }
      step_execution_add(out, i, c, error, curve == &curve_tanh ? 1.0 : met, format);
    }
  }
  return ATTCERT_OK;
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  for (size_t i = 0; i < (size_t)y->rows * (size_t)y->cols; i++) y->data[i] = s->curve->estimate(x[0]->data[i]);
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)err;
  for (size_t i = 0; i < (size_t)dy->rows * (size_t)dy->cols; i++)
    dx[0]->data[i] += s->curve->slope_estimate(x[0]->data[i]) * dy->data[i];
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)err;
  for (size_t k = 0; k < (size_t)y->rows * (size_t)y->cols; k++)
    s->curve->enclose(&y->entry[k], &scratch->t[0], &x[0]->entry[k], &scratch->ws);
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)err;
  for (size_t k = 0; k < (size_t)dy->rows * (size_t)dy->cols; k++) {
    s->curve->enclose(&scratch->t[0], &scratch->t[1], &x[0]->entry[k], &scratch->ws);
    step_add_product(&dx[0]->entry[k], &scratch->t[1], &dy->entry[k], scratch);
  }
  return ATTCERT_OK;
}

const step_kind step_activation = {"activation", NULL,  fresh,     NULL,    forms,
                                   execution,    value, pull_back, enclose, enclose_pull_back};
