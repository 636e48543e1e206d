/* LayerNorm with the real division. With c the centered row at the form's center (any double vector near it), e the
 * deviation from it, w' = ||c + e||^2 / d + epsilon = w + (2 c.e + ||e||^2) / d:
 *
 *   1/sqrt(w') = slope (w' - w_c) + m +- error          the chord of the convex function   (range/range_line.h)
 *              = m + f l(eta) + sigma,                  l = the linear part of c.e, f = 2 slope / d,
 *   |sigma| <= error + |slope| (E/2 + radius(w) + 2 L / d),
 *
 * E >= ||e||^2 / d, of which the half is part of w_c = w + E/2, and L what c.e misses of l. Then
 *
 *   (c + e) / sqrt(w') = m c + m e + f l c + c sigma + e (f l + sigma).
 *
 * sigma is one symbol for the whole row, with column c. The product e (f l + sigma) gets a symbol an entry around the
 * middle of its part of second order in the perturbation (operation_product), bounded entry by entry and, by
 * ||e|| |f l + sigma|, in norm.
 *
 * Roundings: the mean of d numbers gamma_{d+2} of their mean magnitude; the others are noted where they are added. */
#include "base/arrays.h"
#include "linalg/rounding/rounding.h"
#include "network/layernorm/step_layernorm.h"

#include <cblas.h>
#include <string.h>

typedef struct {
  int dim, columns, input; /* columns in all, of the perturbation */
  const form_layout *layout;
  const form_symbols *symbols;
  double *centered, *miss; /* [d]: c, and a bound of |e_a - (C eta)_a| */
  double *linear;          /* [d, columns]: C */
  form_support *support;   /* [d]: of C */
  double *along;           /* [columns]: l */
  double *shift;           /* [d]: the middle of e (f l) */
  double *bound;           /* [d]: of the product's symbols */
  form_norm norm;          /* of C */
  double norm_all;         /* of e */
  form_support reach;      /* of l */
  double along_miss;       /* L */
  double middle, factor;   /* m, f */
  double sigma;
} layernorm_row;

static array_table row_table(layernorm_row *r) {
  const size_t d = (size_t)r->dim, columns = (size_t)r->columns;
  return (array_table){{ARRAY(r->centered, d), ARRAY(r->miss, d), ARRAY(r->linear, d, columns), ARRAY(r->support, d),
                        ARRAY(r->along, columns), ARRAY(r->shift, d), ARRAY(r->bound, d)}};
}

/* linear (d x columns) less the mean of its rows, which `along` holds for that time. */
static void center_linear(layernorm_row *r) {
  const size_t d = (size_t)r->dim, columns = (size_t)r->columns;
  if (columns > 0) memset(r->along, 0, columns * sizeof(double));
  for (size_t a = 0; a < d; a++) {
    for (size_t k = 0; k < columns; k++) r->along[k] += r->linear[a * columns + k];
  }
  for (size_t k = 0; k < columns; k++) r->along[k] /= r->dim;
  for (size_t a = 0; a < d; a++) {
    for (size_t k = 0; k < columns; k++) r->linear[a * columns + k] -= r->along[k];
  }
}

/* c, C, their supports, and what they miss of the exact centered row. */
static void center_row(layernorm_row *r, const form *in, int i) {
  const size_t d = (size_t)r->dim, columns = (size_t)r->columns, at = (size_t)i * d;
  const double gamma = gamma_upper((double)d + 3.0), *const center = in->center + at;
  double sum = 0.0, size = 0.0, radius = 0.0;
  for (size_t a = 0; a < d; a++) {
    sum += center[a];
    size += gamma * (fabs(center[a]) + in->support[at + a].magnitude);
    radius += in->radius[at + a];
  }
  const double common = round_up_nonnegative((size + radius) / (double)d, (double)d + 6.0);
  for (size_t a = 0; a < d; a++) {
    r->centered[a] = center[a] - sum / (double)d;
    const double own = gamma * (fabs(r->centered[a]) + in->support[at + a].magnitude);
    r->miss[a] = round_up_nonnegative(in->radius[at + a] + common + own, 6.0);
  }
  if (columns > 0) memcpy(r->linear, in->row[i].linear, d * columns * sizeof(double));
  center_linear(r);
  for (size_t a = 0; a < d; a++) r->support[a] = form_support_of(r->linear + a * columns, r->layout, r->symbols);
}

/* l = c^T C, its support, and L. */
static void follow_center(layernorm_row *r) {
  const double gamma = gamma_upper((double)r->dim + 1.0);
  if (r->columns > 0) memset(r->along, 0, (size_t)r->columns * sizeof(double));
  if (r->columns > 0)
    cblas_dgemv(CblasRowMajor, CblasTrans, r->dim, r->columns, 1.0, r->linear, r->columns, r->centered, 1, 0.0,
                r->along, 1);
  r->reach = form_support_of(r->along, r->layout, r->symbols);
  double miss = 0.0;
  for (int a = 0; a < r->dim; a++) miss += fabs(r->centered[a]) * (r->miss[a] + gamma * r->support[a].magnitude);
  r->along_miss = round_up_nonnegative(miss + UNDERFLOW_ALLOWANCE, r->dim + 4.0);
}

/* m, f and sigma. */
static void take_chord(layernorm_row *r, double epsilon) {
  const double d = r->dim, gamma = gamma_upper(d + 2.0);
  double squares = 0.0;
  for (int a = 0; a < r->dim; a++) squares += r->centered[a] * r->centered[a];
  const range variance = range_mul(range_of(squares / d), (range){1.0 - 2.0 * gamma, 1.0 + 2.0 * gamma});
  const range w = range_add(variance, (range){epsilon, range_up(epsilon + UNDERFLOW_ALLOWANCE)});
  const double linear = round_up_nonnegative(2.0 * (r->reach.input + r->reach.other + r->along_miss) / d, 5.0);
  const double square = round_up_nonnegative(r->norm_all * r->norm_all / d, 3.0);
  const double lo = range_down(w.lo - linear), hi = range_up(range_up(w.hi + linear) + square);
  const double middle = range_middle(w), center = middle + 0.5 * square;
  const range_line line = range_line_along(&curve_inverse_sqrt, lo > epsilon ? lo : epsilon, hi, center);
  r->middle = line.height;
  r->factor = 2.0 * line.slope / d;
  /* w_c is the rounded sum of middle and E/2: one ulp of it */
  const double beside = range_radius(w, middle) + UNIT_ROUNDOFF * center + 0.5 * square + 2.0 * r->along_miss / d;
  r->sigma = round_up_nonnegative(
      line.error + fabs(line.slope) * beside + 4.0 * UNIT_ROUNDOFF * fabs(r->factor) * r->reach.magnitude, 12.0);
}

/* The middle of the product e (f l), and bounds of what is left with the product and of what is missed, y-space. */
static double bound_product(layernorm_row *r) {
  const double radius = r->input > 0 ? r->symbols->segment[r->layout->id[0]].radius : 0.0;
  const double in = round_up_nonnegative(fabs(r->factor) * r->reach.input, 1.0);
  const double all = round_up_nonnegative(fabs(r->factor) * (r->reach.input + r->reach.other) + r->sigma, 4.0);
  const double gamma = gamma_upper((double)r->input + 6.0);
  double missed = 0.0;
  memset(r->shift, 0, (size_t)r->dim * sizeof(double));
  if (r->input > 0)
    cblas_dgemv(CblasRowMajor, CblasNoTrans, r->dim, r->input, 0.5 * radius * radius * r->factor, r->linear, r->columns,
                r->along, 1, 0.0, r->shift, 1);
  for (int a = 0; a < r->dim; a++) {
    const form_support *const s = &r->support[a];
    const double spread = round_up_nonnegative(s->input + s->other + r->miss[a], 2.0);
    /* m times the miss; roundings of m C + f l c and of the middle */
    const double beside = fabs(r->middle) * (r->miss[a] + 4.0 * UNIT_ROUNDOFF * s->magnitude) +
                          4.0 * UNIT_ROUNDOFF * fabs(r->centered[a] * r->factor) * r->reach.magnitude +
                          gamma * s->input * in;
    missed += beside * beside;
    r->bound[a] =
        round_up_nonnegative(operation_product(spread, s->input, all, in) + beside + UNDERFLOW_ALLOWANCE, 12.0);
  }
  const double rest = round_up_nonnegative(sqrt(round_up_nonnegative(missed, r->dim + 24.0)), 2.0);
  return round_up_nonnegative(operation_product(r->norm_all, r->norm.input, all, in) + rest + UNDERFLOW_ALLOWANCE, 3.0);
}

/* gain * (m C + f l c), gain * c for sigma, gain for the product; center gain * (m c + shift) + bias. */
static void write_row(form *out, int i, const layernorm_row *r, const layernorm_weights *w) {
  const double *const gain = w->gain, *const bias = w->bias;
  const form_row *const row = &out->row[i];
  const size_t d = (size_t)r->dim, columns = (size_t)r->columns, width = (size_t)form_layout_columns(&row->layout);
  for (size_t a = 0; a < d; a++) {
    const double *const from = r->linear + a * columns, c = r->centered[a], along = c * r->factor;
    double *const to = row->linear + a * width;
    for (size_t k = 0; k < columns; k++) to[k] = gain[a] * (r->middle * from[k] + along * r->along[k]);
    to[columns] = gain[a] * c;
    to[columns + 1 + a] = gain[a];
    const double normal = r->middle * c + r->shift[a];
    out->center[(size_t)i * d + a] = gain[a] * normal + bias[a];
    const double terms = fabs(r->middle * c) + fabs(r->shift[a]) + fabs(r->middle) * r->support[a].magnitude +
                         fabs(along) * r->reach.magnitude + fabs(c) * r->sigma;
    out->radius[(size_t)i * d + a] = round_up_nonnegative(
        UNIT_ROUNDOFF * (4.0 * fabs(gain[a]) * terms + 2.0 * fabs(bias[a])) + UNDERFLOW_ALLOWANCE, 12.0);
  }
}

static attcert_status normalize_row(form *out, const form *in, int i, layernorm_row *r, double epsilon,
                                    attcert_error *err) {
  center_row(r, in, i);
  const attcert_status status = form_norm_of(&r->norm, r->linear, r->dim, r->layout, r->support, r->symbols, err);
  if (status != ATTCERT_OK) return status;
  r->norm_all = round_up_nonnegative(r->norm.input + r->norm.other + norm_upper(r->miss, (size_t)r->dim), 2.0);
  follow_center(r);
  take_chord(r, epsilon);
  out->row[i].token = in->row[i].token;
  return ATTCERT_OK;
}

attcert_status step_layernorm_forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols,
                                    int origin, attcert_error *err) {
  const layernorm_weights *const w = s->of;
  const form *const in = inputs[0];
  attcert_status status = form_init(out, in->rows, in->cols, err);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &in->row[i].layout;
    layernorm_row r = {.dim = in->cols, .columns = form_layout_columns(layout), .layout = layout, .symbols = symbols};
    const int first = symbols->count;
    r.input = form_layout_input_columns(layout, symbols);
    const array_table table = row_table(&r);
    status = array_table_allocate(&table, err, "LayerNorm of %d x %d numbers", r.dim, r.columns);
    if (status == ATTCERT_OK) status = normalize_row(out, in, i, &r, w->epsilon, err);
    if (status == ATTCERT_OK) {
      const double norm = bound_product(&r);
      status = operation_fresh(symbols, &r.sigma, 1, INFINITY, origin, err);
      if (status == ATTCERT_OK) status = operation_fresh(symbols, r.bound, r.dim, norm, origin, err);
    }
    if (status == ATTCERT_OK) status = operation_row_layout(out, i, &layout, 1, first, symbols, err);
    if (status == ATTCERT_OK) write_row(out, i, &r, w);
    array_table_release(&table);
  }
  return status;
}
