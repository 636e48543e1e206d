#include "network/rmsnorm/step_rmsnorm.h"

#include "base/arrays.h"
#include "interval/interval_set.h"
#include "network/step_normalize.h"
#include "robust/operation/operation_normalize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int fresh(const step *s, const step_row *row, int k) {
  (void)row;
  return step_normalize_fresh(s->cols, ((const rmsnorm_weights *)s->of)->parts, k);
}

static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  const rmsnorm_weights *const w = s->of;
  (void)in_cols;
  (void)row;
  return ((uint64_t)(s->cols / w->parts) + 2 + (uint64_t)w->parts) * (uint64_t)columns;
}

/* The gain that is executed is the sum of 1 and the rounded number, and off by its rounding. */
static attcert_status round_weights(void **of, const step *s, int in_cols, const step_format *format,
                                    attcert_error *err) {
  rmsnorm_weights w = *(const rmsnorm_weights *)s->of;
  const double *const stored = w.gain;
  (void)in_cols;
  *of = step_execution_round(&(step_weights){&w.gain, (size_t)s->cols}, 1, sizeof w, format, err);
  if (*of == NULL) return ATTCERT_RESOURCE;
  double *const rounded = (double *)w.gain;
  for (int c = 0; c < s->cols && w.from_one; c++) rounded[c] = 1.0 + step_format_nearest(format, stored[c] - 1.0);
  memcpy(*of, &w, sizeof w);
  return ATTCERT_OK;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* The numbers are normalised as they are: their radius is what the linear part misses, and nothing is rounded. */
static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  const form *const in = inputs[0];
  attcert_status status = form_init(out, in->rows, in->cols, err);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const size_t at = (size_t)i * (size_t)in->cols;
    const operation_normalized row = {.dim = in->cols / w->parts,
                                      .parts = w->parts,
                                      .layout = &in->row[i].layout,
                                      .center = in->center + at,
                                      .miss = in->radius + at,
                                      .linear = in->row[i].linear,
                                      .support = in->support + at,
                                      .gain = w->gain,
                                      .epsilon = w->epsilon};
    out->row[i].token = in->row[i].token;
    status = operation_normalize(out, i, &row, symbols, origin, err);
  }
  return status;
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

/* z = x / s; returns s. */
static double normalize(double *z, const double *x, double epsilon, int n) {
  double squares = 0.0;
  for (int a = 0; a < n; a++) squares += x[a] * x[a];
  const double s = sqrt(squares / n + epsilon);
  for (int a = 0; a < n; a++) z[a] = x[a] / s;
  return s;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  const int n = y->cols / w->parts;
  (void)err;
  for (int i = 0; i < y->rows * w->parts; i++) {
    const size_t at = (size_t)i * (size_t)n;
    const double *const gain = w->gain + i % w->parts * n;
    normalize(y->data + at, x[0]->data + at, w->epsilon, n);
    for (int a = 0; a < n; a++) y->data[at + (size_t)a] *= gain[a];
  }
  return ATTCERT_OK;
}

/* With g = gain dy: dx += (g - z (z . g) / n) / s. */
static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  const int n = dy->cols / w->parts;
  double *const z = array_new((size_t)n, sizeof *z, err, "a row of %d numbers", n);
  if (z == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < dy->rows * w->parts; i++) {
    const size_t at = (size_t)i * (size_t)n;
    const double *const gain = w->gain + i % w->parts * n, *const back = dy->data + at;
    const double scale = normalize(z, x[0]->data + at, w->epsilon, n);
    double along = 0.0;
    for (int a = 0; a < n; a++) along += z[a] * gain[a] * back[a];
    for (int a = 0; a < n; a++) dx[0]->data[at + (size_t)a] += (gain[a] * back[a] - z[a] * along / n) / scale;
  }
  free(z);
  return ATTCERT_OK;
}

/* ---- in intervals ------------------------------------------------------------------------------------------------ */

static void normalize_part(interval *z, const interval *x, int n, double epsilon, step_scratch *scratch) {
  for (int a = 0; a < n; a++) interval_set(&z[a], &x[a]);
  step_normalize(z, n, epsilon, scratch);
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  const int n = y->cols / w->parts;
  (void)err;
  for (int i = 0; i < y->rows * w->parts; i++) {
    const int row = i / w->parts, first = i % w->parts * n;
    interval *const z = step_entry(y, row, first);
    normalize_part(z, step_entry(x[0], row, first), n, w->epsilon, scratch);
    step_normalize_gain(z, w->gain + first, z, n, scratch);
  }
  return ATTCERT_OK;
}

static step_normalization normalization_of(const step *s) {
  const rmsnorm_weights *const w = s->of;
  return (step_normalization){
      .part = normalize_part, .centered = false, .parts = w->parts, .gain = w->gain, .epsilon = w->epsilon};
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  const step_normalization of = normalization_of(s);
  return step_normalize_pull_back(dx[0], &of, x[0], dy, scratch, err);
}

static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  const step_normalization of = normalization_of(l->step);
  return step_normalize_linearize(l, &of, x[0], scratch, err);
}

static attcert_status lower(step_lower *l, const step *s, attcert_error *err) {
  const step_normalization of = normalization_of(s);
  return step_normalize_lower(l, &of, NULL, err);
}

const step_kind step_rmsnorm = {.name = "rmsnorm",
                                .fresh = fresh,
                                .scratch = scratch,
                                .forms = forms,
                                .lower = lower,
                                .round = round_weights,
                                .execution = step_rmsnorm_execution,
                                .value = value,
                                .pull_back = pull_back,
                                .enclose = enclose,
                                .enclose_pull_back = enclose_pull_back,
                                .linearize = linearize,
                                .push = step_linear_rows_push,
                                .pull = step_linear_rows_pull};

int step_rmsnorm_add(network_builder *b, int value, const rmsnorm_weights *weights) {
  const void *const of = network_copy(b, weights, sizeof *weights);
  return network_add(b, (step){.kind = &step_rmsnorm, .of = of, .input = {value}, .inputs = 1});
}
