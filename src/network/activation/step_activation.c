#include "network/activation/step_activation.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "linalg/rounding/rounding.h"
#include "linalg/rounding/upward.h"
#include "robust/range/range_function.h"

static const range_curve *curve_of(const step *s) {
  return s->of;
}

static int fresh(const step *s, const step_row *row, int k) {
  (void)row;
  return k == 0 ? s->cols : 0;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* An entrywise function phi: over [z - dev, z + dev], dev the entry's whole deviation, range_line encloses
 *   phi(t) = slope (t - z) + height +- error       (range/range_line.h),
 * so the entry's form is scaled by the slope, its center is the height, and one fresh symbol an entry is bounded by
 *   error + |slope| radius + u |slope| magnitude   (the last: the rounding of the scaling). */
typedef struct {
  form *out;
  const form *in;
  const range_curve *curve;
  double *slope, *bound; /* [rows, cols] */
} activation_pass;

/* Row i: centers and slopes of the lines, bounds of the fresh symbols. */
static void follow_row(void *context, int i) {
  const activation_pass *const p = context;
  const form *const in = p->in;
  for (int c = 0; c < in->cols; c++) {
    const size_t at = (size_t)i * (size_t)in->cols + (size_t)c;
    const double z = in->center[at], reach = form_spread(in, i, c);
    const range_line line = range_line_along(p->curve, range_down(z - reach), range_up(z + reach), z);
    const double scaled = fabs(line.slope) * (in->radius[at] + UNIT_ROUNDOFF * in->support[at].magnitude);
    p->slope[at] = line.slope;
    p->out->center[at] = line.height;
    p->bound[at] = round_up_nonnegative(line.error + scaled + UNDERFLOW_ALLOWANCE, 6.0);
  }
}

static void scale_row(void *context, int i) {
  const activation_pass *const p = context;
  const form_row *const from = &p->in->row[i], *const to = &p->out->row[i];
  const size_t columns = (size_t)form_layout_columns(&from->layout), width = (size_t)form_layout_columns(&to->layout);
  const size_t cols = (size_t)p->in->cols;
  for (size_t c = 0; c < cols; c++) {
    const double slope = p->slope[(size_t)i * cols + c];
    for (size_t k = 0; k < columns; k++) to->linear[c * width + k] = slope * from->linear[c * columns + k];
  }
}

static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const form *const in = inputs[0];
  const size_t count = (size_t)in->rows * (size_t)in->cols;
  activation_pass p = {.out = out, .in = in, .curve = curve_of(s)};
  const array_table table = {{ARRAY(p.slope, count), ARRAY(p.bound, count)}};
  attcert_status status = form_init(out, in->rows, in->cols, err);
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "the slopes of %zu entries", count);
  if (status != ATTCERT_OK) return status;
  parallel_for(in->rows, parallel_threads(0), follow_row, &p);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++)
    status = operation_fresh_row(out, i, &in->row[i], p.bound + (size_t)i * (size_t)in->cols, symbols, origin, err);
  if (status == ATTCERT_OK) parallel_for(in->rows, parallel_threads(0), scale_row, &p);
  array_table_release(&table);
  return status;
}

/* ---- what an execution adds -------------------------------------------------------------------------------------- */

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
static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  const range_curve *const curve = curve_of(s);
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
      else if (curve != &curve_gelu && curve != &curve_gelu_tanh)
        step_execution_add(out, i, c, INFINITY, INFINITY, format); /* nothing is known of how it is executed */
      else
        step_execution_add(out, i, c, gelu_error(x, y, &t, format), step_execution_keep(4.0 * x, 4.0 * x, format),
                           format);
    }
  }
  return ATTCERT_OK;
}

/* ---- in double, by the estimates of curve and slope -------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  for (size_t i = 0; i < (size_t)y->rows * (size_t)y->cols; i++) y->data[i] = curve_of(s)->estimate(x[0]->data[i]);
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)err;
  for (size_t i = 0; i < (size_t)dy->rows * (size_t)dy->cols; i++)
    dx[0]->data[i] += curve_of(s)->slope_estimate(x[0]->data[i]) * dy->data[i];
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)err;
  for (size_t k = 0; k < (size_t)y->rows * (size_t)y->cols; k++)
    curve_of(s)->enclose(&y->entry[k], &scratch->t[0], &x[0]->entry[k], &scratch->ws);
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)err;
  for (size_t k = 0; k < (size_t)dy->rows * (size_t)dy->cols; k++) {
    curve_of(s)->enclose(&scratch->t[0], &scratch->t[1], &x[0]->entry[k], &scratch->ws);
    interval_fma(&dx[0]->entry[k], &scratch->t[1], &dy->entry[k], &dx[0]->entry[k], &scratch->ws);
  }
  return ATTCERT_OK;
}

const step_kind step_activation = {.name = "activation",
                                   .fresh = fresh,
                                   .forms = forms,
                                   .execution = execution,
                                   .value = value,
                                   .pull_back = pull_back,
                                   .enclose = enclose,
                                   .enclose_pull_back = enclose_pull_back};

int step_activation_add(network_builder *b, int value, const range_curve *curve) {
  return network_add(b, (step){.kind = &step_activation, .of = curve, .input = {value}, .inputs = 1});
}
