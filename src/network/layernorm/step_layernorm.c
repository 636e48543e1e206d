#include "network/layernorm/step_layernorm.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "kernel/layernorm/layernorm.h"
#include "network/step_normalize.h"

#include <string.h>

/* The centered row, the columns whose norm is asked for, and two rows more. */
static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  (void)in_cols;
  (void)row;
  return (2 * (uint64_t)s->cols + 2) * (uint64_t)columns;
}

static int fresh(const step *s, const step_row *row, int k) {
  (void)row;
  return step_normalize_fresh(s->cols, 1, k);
}

static attcert_status round_weights(void **of, const step *s, int in_cols, const step_format *format,
                                    attcert_error *err) {
  layernorm_weights w = *(const layernorm_weights *)s->of;
  const step_weights weights[] = {{&w.gain, (size_t)s->cols}, {&w.bias, (size_t)s->cols}};
  (void)in_cols;
  *of = step_execution_round(weights, 2, sizeof w, format, err);
  if (*of == NULL) return ATTCERT_RESOURCE;
  memcpy(*of, &w, sizeof w);
  return ATTCERT_OK;
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const layernorm_weights *const w = s->of;
  (void)err;
  layernorm_rows(y->data, x[0]->data, y->rows, y->cols, w->gain, w->bias, w->epsilon);
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const layernorm_weights *const w = s->of;
  const int d = dy->cols;
  double *z, *slope;
  const array_table table = {{ARRAY(z, (size_t)d), ARRAY(slope, (size_t)d)}};
  const attcert_status status = array_table_allocate(&table, err, "a row of %d numbers", d);
  for (int i = 0; i < dy->rows && status == ATTCERT_OK; i++) {
    const size_t at = (size_t)i * (size_t)d;
    const double scale = layernorm_standardize(z, x[0]->data + at, w->epsilon, d);
    layernorm_vjp(slope, w->gain, z, scale, dy->data + at, d);
    for (size_t a = 0; a < (size_t)d; a++) dx[0]->data[at + a] += slope[a];
  }
  array_table_release(&table);
  return status;
}

/* ---- in intervals ------------------------------------------------------------------------------------------------ */

/* z = (x - mean x) / s. */
static void standardize(interval *z, const interval *x, int n, double epsilon, step_scratch *scratch) {
  interval *const d = &scratch->t[1], *const t = &scratch->t[2];
  interval_set_si(d, n);
  interval_set_zero(t);
  for (int a = 0; a < n; a++) interval_add(t, t, &x[a]);
  interval_div(t, t, d, &scratch->ws);
  for (int a = 0; a < n; a++) interval_sub(&z[a], &x[a], t);
  step_normalize(z, n, epsilon, scratch);
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  const layernorm_weights *const w = s->of;
  interval *const gain = &scratch->t[2], *const bias = &scratch->t[3];
  (void)err;
  for (int i = 0; i < y->rows; i++) {
    interval *const z = step_entry(y, i, 0);
    standardize(z, step_entry(x[0], i, 0), y->cols, w->epsilon, scratch);
    for (int a = 0; a < y->cols; a++) {
      interval_set_d(gain, w->gain[a]);
      interval_set_d(bias, w->bias[a]);
      interval_fma(&z[a], gain, &z[a], bias, &scratch->ws);
    }
  }
  return ATTCERT_OK;
}

static step_normalization normalization_of(const step *s) {
  const layernorm_weights *const w = s->of;
  return (step_normalization){
      .part = standardize, .centered = true, .parts = 1, .gain = w->gain, .epsilon = w->epsilon};
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
  return step_normalize_lower(l, &of, ((const layernorm_weights *)s->of)->bias, err);
}

const step_kind step_layernorm = {.name = "layernorm",
                                  .fresh = fresh,
                                  .scratch = scratch,
                                  .forms = step_layernorm_forms,
                                  .lower = lower,
                                  .round = round_weights,
                                  .execution = step_layernorm_execution,
                                  .value = value,
                                  .pull_back = pull_back,
                                  .enclose = enclose,
                                  .enclose_pull_back = enclose_pull_back,
                                  .linearize = linearize,
                                  .push = step_linear_rows_push,
                                  .pull = step_linear_rows_pull};

int step_layernorm_add(network_builder *b, int value, const layernorm_weights *weights) {
  const void *const of = network_copy(b, weights, sizeof *weights);
  return network_add(b, (step){.kind = &step_layernorm, .of = of, .input = {value}, .inputs = 1});
}
