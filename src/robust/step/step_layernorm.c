/* LayerNorm with the real division. */
#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/upward.h"
#include "robust/step/step.h"

#include <math.h>

/* What the scale misses, then what each entry does. */
static int fresh(int *width, const step *s, const step_row *row) {
  (void)row;
  width[0] = 1;
  width[1] = s->cols;
  return 2;
}

/* The centered row, the columns whose norm is asked for, and two rows more. */
static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  (void)in_cols;
  (void)row;
  return (2 * (uint64_t)s->cols + 2) * (uint64_t)columns;
}

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  return operation_layernorm(out, in[0], s->weight, s->bias, s->epsilon, symbols, origin, err);
}

/* Mean of d numbers and 1 / sqrt(variance + epsilon). */
static void moments(double *middle, double *inverse, const double *x, int d, double epsilon) {
  double sum = 0.0, squares = 0.0;
  for (int a = 0; a < d; a++) sum += x[a];
  *middle = sum / d;
  for (int a = 0; a < d; a++) squares += (x[a] - *middle) * (x[a] - *middle);
  *inverse = 1.0 / sqrt(squares / d + epsilon);
}

/* ---- what an execution adds -------------------------------------------------------------------------------------- */

/* A row of an executed input x, mean m, c = x - m, s = sqrt(||c||^2 / d + epsilon); upper bounds but for root and
 * least, lower ones. */
typedef struct {
  double *size, *centered, *off; /* [d]: |x_c|; |c_c|; how much the executed c_c is off beside the mean's error */
  step_summands sum;             /* the entries */
  double mean_size, mean_error;  /* mean |x| >= |m|; of the executed mean */
  double least, root;            /* of ||c||; of s */
  double inverse_error;          /* relative, of the executed 1 / s */
  double met;
} executed_row;

/* The exact mean of the center is within gamma_{d+1} mean |center| of the computed one, m0, and so
 * ||c|| >= ||center - m0|| - sqrt(d) |m - m0| at the center; centering shrinks what is added to it (a projection).
 * |c_c| <= |center_c - m0| + |m - m0| + spread_c + mean spread, and at most |x_c| + mean |x|. */
static void measure_row(executed_row *r, const form *in, int i, const form_norm *norm) {
  const int d = in->cols;
  const size_t at = (size_t)i * (size_t)d;
  const double *const center = in->center + at;
  double sum = 0.0, sizes = 0.0, spreads = 0.0, squares = 0.0;
  r->sum = (step_summands){0};
  for (int c = 0; c < d; c++) {
    r->size[c] = step_execution_size(in, i, c);
    step_summands_add(&r->sum, center[c], form_spread(in, i, c));
    sum += center[c];
    sizes += r->size[c];
    spreads += form_spread(in, i, c);
  }
  const double middle = sum / d, spread = round_up_nonnegative(spreads / d, d);
  r->mean_size = round_up_nonnegative(sizes / d, d);
  const double missed = upward_mul(gamma_upper(d + 1.0), r->mean_size);
  for (int c = 0; c < d; c++) {
    const double from_middle = fabs(center[c] - middle), either = upward_add(r->size[c], r->mean_size);
    squares += from_middle * from_middle;
    const double near = round_up_nonnegative(from_middle + missed + form_spread(in, i, c) + spread, 4.0);
    r->centered[c] = near < either ? near : either;
  }
  const double away = round_up_nonnegative(norm->input + norm->other + norm_upper(in->radius + at, (size_t)d), 2.0);
  const double lost = upward_add(away, round_up_nonnegative(missed * sqrt(d), 2.0));
  const double length = sqrt(squares) * (1.0 - gamma_upper(d + 6.0)); /* d squares, each off by three roundings */
  r->least = length > 0x1p-400 && length > lost ? (length - lost) * (1.0 - 2.0 * UNIT_ROUNDOFF) : 0.0;
}

/* The executed mean is off by a: what its sum is, over d, with two roundings for a reciprocal of d and a product. A
 * centered entry is x_c - m - a_c within off_c = gamma_2 (|x_c| + |m| + a), whether it is rounded once, or x_c and m
 * are divided by s first. Hence the norm of the executed row is off by at most ||off|| + min(sqrt(d) a, d a^2 / (2
 * ||c||)): a constant is orthogonal to c. The root of the mean of its squares is off by that through sqrt(d), relative
 * to s: tau. */
static double root_error(executed_row *r, int d, const step_format *format) {
  const double tiny = format->compute.tiny, gamma = step_format_gamma(format, 2.0);
  double met;
  const double of_sum = upward_div(step_summands_error(&met, &r->sum, 0.0, format), d);
  const double rounded = upward_mul(gamma, upward_add(r->mean_size, of_sum));
  r->mean_error = upward_add3(of_sum, rounded, 4.0 * tiny);
  for (int c = 0; c < d; c++)
    r->off[c] = upward_add(upward_mul(gamma, upward_add3(r->size[c], r->mean_size, r->mean_error)), 2.0 * tiny);
  const double straight = round_up_nonnegative(r->mean_error * sqrt(d), 2.0);
  const double across = upward_div(upward_mul(upward_mul(r->mean_error, r->mean_error), d), 2.0 * r->least);
  const double moved = upward_add(norm_upper(r->off, (size_t)d), across < straight ? across : straight);
  return round_up_nonnegative(upward_div(moved, r->root) / sqrt(d), 2.0);
}

/* d squares, their sum, its quotient by d, epsilon and its addition: theta = gamma_{d+4} of the square of a root that
 * is off by tau, and six results that may underflow, 24 tiny / s^2 where tau <= 1/2. Then
 *   1/s (1 + e),  e <= (1 + tau / (1 - tau)) (1 + theta / 2 + theta^2) (1 + f) (1 + gamma_2) - 1
 * as (1 - theta)^(-1/2) <= 1 + theta / 2 + theta^2 for theta <= 1/2 (its series: 3/8 + 5/16 theta + ... < 1); f or two
 * roundings for the inverse root. */
static void bound_inverse(executed_row *r, int d, double epsilon, const step_format *format) {
  const double square = r->least > 0x1p-400 ? r->least * r->least / d : 0.0;
  r->root = sqrt(square + epsilon) * (1.0 - 8.0 * UNIT_ROUNDOFF);
  const double tau = root_error(r, d, format);
  const double below = upward_div(24.0 * format->compute.tiny, r->root * r->root * (1.0 - 4.0 * UNIT_ROUNDOFF));
  const double theta = upward_add(step_format_gamma(format, d + 4.0), below);
  const double of_theta = upward_add(0.5 * theta, upward_mul(theta, theta));
  const double function = upward_compound(step_format_function(format), step_format_gamma(format, 2.0));
  const double error = upward_compound(upward_compound(upward_inverse(tau), of_theta), function);
  r->inverse_error = theta <= 0.5 ? error : INFINITY;
}

/* Sums are enlarged by less than 2: of |x|, of squares; and what is divided by s. */
static void meet(executed_row *r, int d) {
  double squares = 0.0, longest = 0.0;
  for (int c = 0; c < d; c++) {
    const double centered = upward_add3(r->centered[c], r->off[c], r->mean_error);
    squares += centered * centered;
    if (!(r->size[c] <= longest)) longest = r->size[c];
  }
  const double sum = round_up_nonnegative(2.0 * d * r->mean_size, 1.0);
  const double quotient = upward_mul(4.0, upward_div(upward_add3(longest, r->mean_size, 1.0), r->root));
  r->met = round_up_nonnegative(2.0 * squares, 2.0 * d);
  if (!(sum <= r->met)) r->met = sum;
  if (!(quotient <= r->met)) r->met = quotient;
}

/* The normalised entry n = c_c / s, at most sqrt(d), is off by n e + (off + a) / s (1 + e), e the inverse root's error
 * and a rounding; gain and bias round once each, and one of six results may underflow, some of them times the gain or
 * n. */
static void execute_entry(form *out, const step *s, int i, int c, const executed_row *r, const step_format *format) {
  const double u = format->compute.unit, gain = fabs(s->weight[c]), most = round_up_nonnegative(sqrt(out->cols), 1.0);
  const double quotient = upward_div(r->centered[c], r->root), normal = quotient < most ? quotient : most;
  const double e = upward_compound(r->inverse_error, u);
  const double off = upward_div(upward_add(r->off[c], r->mean_error), r->root);
  const double normal_error = upward_add3(upward_mul(normal, e), off, upward_mul(off, e));
  const double scaled = upward_mul(gain, upward_add(upward_mul(normal_error, 1.0 + u), upward_mul(u, normal)));
  const double factors = upward_add3(upward_mul(4.0, gain), normal, upward_add(r->centered[c], 2.0));
  const double error = upward_add(scaled, upward_mul(2.0 * format->compute.tiny, factors));
  const double size = step_execution_size(out, i, c);
  const double met = upward_mul(r->met, upward_add(1.0, gain));
  step_execution_add(out, i, c, step_execution_rounded(&format->compute, size, error), met, format);
}

static attcert_status execute_row(form *out, const step *s, const form *in, int i, executed_row *r,
                                  const form_symbols *symbols, const step_format *format, attcert_error *err) {
  const form_row *const row = &in->row[i];
  const size_t at = (size_t)i * (size_t)in->cols;
  form_norm norm;
  const attcert_status status =
      form_norm_of(&norm, row->linear, in->cols, &row->layout, in->support + at, symbols, err);
  if (status != ATTCERT_OK) return status;
  measure_row(r, in, i, &norm);
  bound_inverse(r, in->cols, s->epsilon, format);
  meet(r, in->cols);
  for (int c = 0; c < in->cols; c++) execute_entry(out, s, i, c, r, format);
  return ATTCERT_OK;
}

static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  const size_t d = (size_t)out->cols;
  executed_row r = {0};
  const array_table table = {{ARRAY(r.size, d), ARRAY(r.centered, d), ARRAY(r.off, d)}};
  attcert_status status = array_table_allocate(&table, err, "an executed row of %d numbers", out->cols);
  for (int i = 0; i < out->rows && status == ATTCERT_OK; i++)
    status = execute_row(out, s, in[0], i, &r, symbols, format, err);
  if (r.size != NULL) array_table_release(&table);
  return status;
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  for (int i = 0; i < y->rows; i++) {
    const double *const from = x[0]->data + (size_t)i * (size_t)y->cols;
    double *const to = y->data + (size_t)i * (size_t)y->cols, middle, inverse;
    moments(&middle, &inverse, from, y->cols, s->epsilon);
    for (int a = 0; a < y->cols; a++) to[a] = s->weight[a] * (from[a] - middle) * inverse + s->bias[a];
  }
  return ATTCERT_OK;
}

/* With g = gain dy, c the centered row: dx = (g - mean g) / s - c (c . g) / (d s^3). */
static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const int d = dy->cols;
  (void)err;
  for (int i = 0; i < dy->rows; i++) {
    const size_t at = (size_t)i * (size_t)d;
    const double *const from = x[0]->data + at, *const g = dy->data + at;
    double middle, inverse, sum = 0.0, along = 0.0;
    moments(&middle, &inverse, from, d, s->epsilon);
    for (int a = 0; a < d; a++) {
      sum += s->weight[a] * g[a];
      along += s->weight[a] * g[a] * (from[a] - middle);
    }
    for (int a = 0; a < d; a++)
      dx[0]->data[at + (size_t)a] +=
          (s->weight[a] * g[a] - sum / d) * inverse - (from[a] - middle) * along / d * inverse * inverse * inverse;
  }
  return ATTCERT_OK;
}

/* t[0] = the mean of row i, t[1] = 1 / sqrt(variance + epsilon); t[2], t[3] are scratch. */
static void enclose_moments(const step_enclosure *x, int i, double epsilon, step_scratch *scratch) {
  interval *const t = scratch->t;
  interval_set_zero(&t[0]);
  interval_set_zero(&t[1]);
  for (int a = 0; a < x->cols; a++) interval_add(&t[0], &t[0], step_entry(x, i, a));
  interval_set_si(&t[2], x->cols);
  interval_div(&t[0], &t[0], &t[2], &scratch->ws);
  for (int a = 0; a < x->cols; a++) {
    interval_sub(&t[3], step_entry(x, i, a), &t[0]);
    interval_sqr(&t[3], &t[3], &scratch->ws);
    interval_add(&t[1], &t[1], &t[3]);
  }
  interval_div(&t[1], &t[1], &t[2], &scratch->ws);
  interval_set_d(&t[2], epsilon);
  interval_add(&t[1], &t[1], &t[2]);
  interval_sqrt(&t[1], &t[1]);
  interval_set_si(&t[2], 1);
  interval_div(&t[1], &t[2], &t[1], &scratch->ws);
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  interval *const t = scratch->t;
  (void)err;
  for (int i = 0; i < y->rows; i++) {
    enclose_moments(x[0], i, s->epsilon, scratch);
    for (int a = 0; a < y->cols; a++) {
      interval_sub(&t[2], step_entry(x[0], i, a), &t[0]);
      interval_mul(&t[2], &t[2], &t[1], &scratch->ws);
      interval_set_d(&t[3], s->weight[a]);
      interval_set_d(step_entry(y, i, a), s->bias[a]);
      step_add_product(step_entry(y, i, a), &t[2], &t[3], scratch);
    }
  }
  return ATTCERT_OK;
}

/* As pull_back: t[2] becomes mean g, t[3] = (c . g) / (d s^2). */
static void enclose_sums(const step *s, const step_enclosure *x, const step_enclosure *dy, int i,
                         step_scratch *scratch) {
  interval *const t = scratch->t;
  interval_set_zero(&t[2]);
  interval_set_zero(&t[3]);
  for (int a = 0; a < x->cols; a++) {
    interval_set_d(&t[4], s->weight[a]);
    interval_mul(&t[4], &t[4], step_entry(dy, i, a), &scratch->ws);
    interval_add(&t[2], &t[2], &t[4]);
    interval_mul(&t[4], &t[4], &t[1], &scratch->ws);
    interval_mul(&t[4], &t[4], &t[1], &scratch->ws);
    step_add_product(&t[3], &t[4], step_entry(x, i, a), scratch);
    step_subtract_product(&t[3], &t[4], &t[0], scratch);
  }
  interval_set_si(&t[4], x->cols);
  interval_div(&t[2], &t[2], &t[4], &scratch->ws);
  interval_div(&t[3], &t[3], &t[4], &scratch->ws);
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  interval *const t = scratch->t;
  (void)err;
  for (int i = 0; i < dy->rows; i++) {
    enclose_moments(x[0], i, s->epsilon, scratch);
    enclose_sums(s, x[0], dy, i, scratch);
    for (int a = 0; a < dy->cols; a++) { /* dx += (g - mean g - c (c . g) / (d s^2)) / s */
      interval *const to = step_entry(dx[0], i, a);
      interval_set_d(&t[4], s->weight[a]);
      interval_mul(&t[4], &t[4], step_entry(dy, i, a), &scratch->ws);
      interval_sub(&t[4], &t[4], &t[2]);
      step_subtract_product(&t[4], &t[3], step_entry(x[0], i, a), scratch);
      step_add_product(&t[4], &t[3], &t[0], scratch);
      step_add_product(to, &t[4], &t[1], scratch);
    }
  }
  return ATTCERT_OK;
}

const step_kind step_layernorm = {"layernorm", NULL,  fresh,     scratch, forms,
                                  execution,   value, pull_back, enclose, enclose_pull_back};
