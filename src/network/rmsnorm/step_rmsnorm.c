#include "network/rmsnorm/step_rmsnorm.h"

#include "base/arrays.h"
#include "interval/interval_set.h"
#include "network/step_normalize.h"
#include "robust/operation/operation_normalize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the scale misses, then what each entry does. */
static int fresh(const step *s, const step_row *row, int k) {
  (void)row;
  return k == 0 ? 1 : k == 1 ? s->cols : 0;
}

static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  (void)in_cols;
  (void)row;
  return ((uint64_t)s->cols + 3) * (uint64_t)columns;
}

static attcert_status round_weights(void **of, const step *s, int in_cols, const step_format *format,
                                    attcert_error *err) {
  rmsnorm_weights w = *(const rmsnorm_weights *)s->of;
  const double *bias = NULL;
  (void)in_cols;
  *of = step_execution_round(&w.gain, (size_t)s->cols, &bias, 0, sizeof w, format, err);
  if (*of == NULL) return ATTCERT_RESOURCE;
  memcpy(*of, &w, sizeof w);
  return ATTCERT_OK;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* The row is normalised as it is: its radius is what its linear part misses, and nothing is rounded before. */
static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  const form *const in = inputs[0];
  attcert_status status = form_init(out, in->rows, in->cols, err);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const size_t at = (size_t)i * (size_t)in->cols;
    const operation_normalized row = {.dim = in->cols,
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
static double normalize(double *z, const double *x, double epsilon, int d) {
  double squares = 0.0;
  for (int a = 0; a < d; a++) squares += x[a] * x[a];
  const double s = sqrt(squares / d + epsilon);
  for (int a = 0; a < d; a++) z[a] = x[a] / s;
  return s;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  (void)err;
  for (int i = 0; i < y->rows; i++) {
    const size_t at = (size_t)i * (size_t)y->cols;
    normalize(y->data + at, x[0]->data + at, w->epsilon, y->cols);
    for (int a = 0; a < y->cols; a++) y->data[at + (size_t)a] *= w->gain[a];
  }
  return ATTCERT_OK;
}

/* With g = gain dy: dx += (g - z (z . g) / d) / s. */
static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  const int d = dy->cols;
  double *const z = array_new((size_t)d, sizeof *z, err, "a row of %d numbers", d);
  if (z == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < dy->rows; i++) {
    const size_t at = (size_t)i * (size_t)d;
    const double scale = normalize(z, x[0]->data + at, w->epsilon, d), *const back = dy->data + at;
    double along = 0.0;
    for (int a = 0; a < d; a++) along += z[a] * w->gain[a] * back[a];
    for (int a = 0; a < d; a++) dx[0]->data[at + (size_t)a] += (w->gain[a] * back[a] - z[a] * along / d) / scale;
  }
  free(z);
  return ATTCERT_OK;
}

/* ---- in intervals ------------------------------------------------------------------------------------------------ */

static void normalize_row(interval *z, const step_enclosure *x, int i, double epsilon, step_scratch *scratch) {
  for (int a = 0; a < x->cols; a++) interval_set(&z[a], step_entry(x, i, a));
  step_normalize(z, x->cols, epsilon, scratch);
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  (void)err;
  for (int i = 0; i < y->rows; i++) {
    interval *const z = step_entry(y, i, 0);
    normalize_row(z, x[0], i, w->epsilon, scratch);
    step_normalize_gain(z, w->gain, z, y->cols, scratch);
  }
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  const rmsnorm_weights *const w = s->of;
  step_enclosure rows; /* z, g = gain dy */
  const attcert_status status = step_enclosure_init(&rows, 2, dy->cols, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < dy->rows; i++) {
    interval *const z = rows.entry, *const g = rows.entry + dy->cols;
    normalize_row(z, x[0], i, w->epsilon, scratch);
    step_normalize_gain(g, w->gain, step_entry(dy, i, 0), dy->cols, scratch);
    interval_set_zero(&scratch->t[2]);
    step_normalize_back(step_entry(dx[0], i, 0), z, g, dy->cols, scratch);
  }
  step_enclosure_clear(&rows);
  return ATTCERT_OK;
}

const step_kind step_rmsnorm = {.name = "rmsnorm",
                                .fresh = fresh,
                                .scratch = scratch,
                                .forms = forms,
                                .round = round_weights,
                                .execution = step_rmsnorm_execution,
                                .value = value,
                                .pull_back = pull_back,
                                .enclose = enclose,
                                .enclose_pull_back = enclose_pull_back};

int step_rmsnorm_add(network_builder *b, int value, const rmsnorm_weights *weights) {
  const void *const of = network_copy(b, weights, sizeof *weights);
  return network_add(b, (step){.kind = &step_rmsnorm, .of = of, .input = {value}, .inputs = 1});
}
