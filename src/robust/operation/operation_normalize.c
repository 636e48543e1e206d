/* Roundings are noted where they are added. */
#include "robust/operation/operation_normalize.h"

#include "base/arrays.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <string.h>

typedef struct {
  const operation_normalized *x; /* its part alone */
  const form_symbols *symbols;
  int columns, input;    /* columns in all, of the perturbation */
  double *along;         /* [columns]: l */
  double *shift;         /* [dim]: the middle of e (f l) */
  double *bound;         /* [dim]: of the product's symbols */
  form_norm norm;        /* of C */
  double norm_all;       /* of e */
  form_support reach;    /* of l */
  double along_miss;     /* L */
  double middle, factor; /* m, f */
  double sigma;
} normalized_part;

/* l = c^T C, its support, and L. */
static void follow_center(normalized_part *r) {
  const operation_normalized *const x = r->x;
  const double gamma = gamma_upper((double)x->dim + 1.0);
  if (r->columns > 0) memset(r->along, 0, (size_t)r->columns * sizeof(double));
  if (r->columns > 0)
    cblas_dgemv(CblasRowMajor, CblasTrans, x->dim, r->columns, 1.0, x->linear, r->columns, x->center, 1, 0.0, r->along,
                1);
  r->reach = form_support_of(r->along, x->layout, r->symbols);
  double miss = 0.0;
  for (int a = 0; a < x->dim; a++) miss += fabs(x->center[a]) * (x->miss[a] + gamma * x->support[a].magnitude);
  r->along_miss = round_up_nonnegative(miss + UNDERFLOW_ALLOWANCE, x->dim + 4.0);
}

/* m, f and sigma. */
static void take_chord(normalized_part *r) {
  const double *const c = r->x->center, epsilon = r->x->epsilon, d = r->x->dim, gamma = gamma_upper(d + 2.0);
  double squares = 0.0;
  for (int a = 0; a < r->x->dim; a++) squares += c[a] * c[a];
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
static double bound_product(normalized_part *r) {
  const operation_normalized *const x = r->x;
  const double radius = r->input > 0 ? r->symbols->segment[x->layout->id[0]].radius : 0.0;
  const double in = round_up_nonnegative(fabs(r->factor) * r->reach.input, 1.0);
  const double all = round_up_nonnegative(fabs(r->factor) * (r->reach.input + r->reach.other) + r->sigma, 4.0);
  const double gamma = gamma_upper((double)r->input + 6.0);
  double missed = 0.0;
  memset(r->shift, 0, (size_t)x->dim * sizeof(double));
  if (r->input > 0)
    cblas_dgemv(CblasRowMajor, CblasNoTrans, x->dim, r->input, 0.5 * radius * radius * r->factor, x->linear, r->columns,
                r->along, 1, 0.0, r->shift, 1);
  for (int a = 0; a < x->dim; a++) {
    const form_support *const s = &x->support[a];
    const double spread = round_up_nonnegative(s->input + s->other + x->miss[a], 2.0);
    /* m times the miss; roundings of m C + f l c and of the middle */
    const double beside = fabs(r->middle) * (x->miss[a] + 4.0 * UNIT_ROUNDOFF * s->magnitude) +
                          4.0 * UNIT_ROUNDOFF * fabs(x->center[a] * r->factor) * r->reach.magnitude +
                          gamma * s->input * in;
    missed += beside * beside;
    r->bound[a] =
        round_up_nonnegative(operation_product(spread, s->input, all, in) + beside + UNDERFLOW_ALLOWANCE, 12.0);
  }
  const double rest = round_up_nonnegative(sqrt(round_up_nonnegative(missed, x->dim + 24.0)), 2.0);
  return round_up_nonnegative(operation_product(r->norm_all, r->norm.input, all, in) + rest + UNDERFLOW_ALLOWANCE, 3.0);
}

/* Part number g of row i: gain * (m C + f l c), gain * c for sigma, gain for the product; center gain * (m c + shift) +
 * bias. */
static void write_part(form *out, int i, size_t g, const normalized_part *r) {
  const operation_normalized *const x = r->x;
  const double *const gain = x->gain;
  const form_row *const row = &out->row[i];
  const size_t d = (size_t)x->dim, columns = (size_t)r->columns, width = (size_t)form_layout_columns(&row->layout);
  const size_t first = (size_t)i * (size_t)out->cols + g * d, fresh = columns + g * (d + 1);
  for (size_t a = 0; a < d; a++) {
    const double *const from = x->linear + a * columns, c = x->center[a], along = c * r->factor;
    const double bias = x->bias != NULL ? x->bias[a] : 0.0;
    double *const to = row->linear + (g * d + a) * width;
    for (size_t k = 0; k < columns; k++) to[k] = gain[a] * (r->middle * from[k] + along * r->along[k]);
    to[fresh] = gain[a] * c;
    to[fresh + 1 + a] = gain[a];
    const double normal = r->middle * c + r->shift[a];
    out->center[first + a] = gain[a] * normal + bias;
    const double terms = fabs(r->middle * c) + fabs(r->shift[a]) + fabs(r->middle) * x->support[a].magnitude +
                         fabs(along) * r->reach.magnitude + fabs(c) * r->sigma;
    out->radius[first + a] = round_up_nonnegative(
        UNIT_ROUNDOFF * (4.0 * fabs(gain[a]) * terms + 2.0 * fabs(bias)) + UNDERFLOW_ALLOWANCE, 12.0);
  }
}

static attcert_status expand(normalized_part *r, attcert_error *err) {
  const operation_normalized *const x = r->x;
  const attcert_status status = form_norm_of(&r->norm, x->linear, x->dim, x->layout, x->support, r->symbols, err);
  if (status != ATTCERT_OK) return status;
  r->norm_all = round_up_nonnegative(r->norm.input + r->norm.other + norm_upper(x->miss, (size_t)x->dim), 2.0);
  follow_center(r);
  take_chord(r);
  return ATTCERT_OK;
}

/* What is known of a part, and its fresh symbols. */
static attcert_status normalize_part(normalized_part *r, form_symbols *symbols, int origin, attcert_error *err) {
  attcert_status status = expand(r, err);
  if (status != ATTCERT_OK) return status;
  const double norm = bound_product(r);
  status = operation_fresh(symbols, &r->sigma, 1, INFINITY, origin, err);
  return status == ATTCERT_OK ? operation_fresh(symbols, r->bound, r->x->dim, norm, origin, err) : status;
}

/* |f c.e| is within the support of f l and, as part of sigma, f L. */
static void keep_part(form *out, int i, int g, const normalized_part *r) {
  const operation_normalized *const x = r->x;
  const double reach = round_up_nonnegative(fabs(r->factor) * (r->reach.input + r->reach.other) + r->sigma, 4.0);
  *operation_normalize_kept_of(out, x->parts, i, g) = (operation_normalize_kept){r->middle, r->factor, r->sigma, reach};
  memcpy(operation_normalize_kept_center(out, x->parts, i, g), x->center, (size_t)x->dim * sizeof(double));
}

/* Zeros for all rows, where there are none yet. */
static attcert_status make_kept(form *out, int parts, attcert_error *err) {
  const size_t bytes =
      (size_t)out->rows * ((size_t)parts * sizeof(operation_normalize_kept) + (size_t)out->cols * sizeof(double));
  if (out->kept == NULL) out->kept = array_new(bytes, 1, err, "what %d normalized rows keep", out->rows);
  return out->kept != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

static operation_normalized part_of(const operation_normalized *row, size_t g, int columns) {
  const size_t first = g * (size_t)row->dim;
  operation_normalized part = *row;
  part.center += first;
  part.miss += first;
  part.linear += first * (size_t)columns;
  part.support += first;
  part.gain += first;
  if (part.bias != NULL) part.bias += first;
  return part;
}

attcert_status operation_normalize(form *out, int i, const operation_normalized *x, form_symbols *symbols, int origin,
                                   attcert_error *err) {
  const int first = symbols->count, columns = form_layout_columns(x->layout);
  const size_t d = (size_t)x->dim, parts = (size_t)x->parts;
  operation_normalized *of;
  normalized_part *part;
  double *along, *shift, *bound;
  const array_table table = {{ARRAY(of, parts), ARRAY(part, parts), ARRAY(along, parts, (size_t)columns),
                              ARRAY(shift, parts, d), ARRAY(bound, d)}};
  attcert_status status = array_table_allocate(&table, err, "a normalized row of %d numbers", out->cols);
  if (status != ATTCERT_OK) return status;
  for (size_t g = 0; g < parts && status == ATTCERT_OK; g++) {
    of[g] = part_of(x, g, columns);
    part[g] = (normalized_part){.x = &of[g],
                                .symbols = symbols,
                                .columns = columns,
                                .input = form_layout_input_columns(x->layout, symbols),
                                .along = along + g * (size_t)columns,
                                .shift = shift + g * d,
                                .bound = bound};
    status = normalize_part(&part[g], symbols, origin, err);
  }
  if (status == ATTCERT_OK) status = operation_row_layout(out, i, &x->layout, 1, first, symbols, err);
  if (status == ATTCERT_OK) status = make_kept(out, x->parts, err);
  for (size_t g = 0; g < parts && status == ATTCERT_OK; g++) {
    write_part(out, i, g, &part[g]);
    keep_part(out, i, (int)g, &part[g]);
  }
  array_table_release(&table);
  return status;
}
