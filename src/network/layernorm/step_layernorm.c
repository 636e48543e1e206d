#include "network/layernorm/step_layernorm.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "kernel/layernorm/layernorm.h"

#include <math.h>
#include <string.h>

/* What the scale misses, then what each entry does. */
static int fresh(const step *s, const step_row *row, int k) {
  (void)row;
  return k == 0 ? 1 : k == 1 ? s->cols : 0;
}

/* The centered row, the columns whose norm is asked for, and two rows more. */
static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  (void)in_cols;
  (void)row;
  return (2 * (uint64_t)s->cols + 2) * (uint64_t)columns;
}

static attcert_status round_weights(void **of, const step *s, int in_cols, const step_format *format,
                                    attcert_error *err) {
  layernorm_weights w = *(const layernorm_weights *)s->of;
  (void)in_cols;
  *of = step_execution_round(&w.gain, (size_t)s->cols, &w.bias, (size_t)s->cols, sizeof w, format, err);
  if (*of == NULL) return ATTCERT_RESOURCE;
  memcpy(*of, &w, sizeof w);
  return ATTCERT_OK;
}

/* Mean of d numbers and 1 / sqrt(variance + epsilon). */
static void moments(double *middle, double *inverse, const double *x, int d, double epsilon) {
  double sum = 0.0, squares = 0.0;
  for (int a = 0; a < d; a++) sum += x[a];
  *middle = sum / d;
  for (int a = 0; a < d; a++) squares += (x[a] - *middle) * (x[a] - *middle);
  *inverse = 1.0 / sqrt(squares / d + epsilon);
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const layernorm_weights *const w = s->of;
  (void)err;
  layernorm_rows(y->data, x[0]->data, y->rows, y->cols, w->gain, w->bias, w->epsilon);
  return ATTCERT_OK;
}

/* With g = gain dy, c the centered row: dx = (g - mean g) / s - c (c . g) / (d s^3). */
static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const layernorm_weights *const w = s->of;
  const int d = dy->cols;
  (void)err;
  for (int i = 0; i < dy->rows; i++) {
    const size_t at = (size_t)i * (size_t)d;
    const double *const from = x[0]->data + at, *const g = dy->data + at;
    double middle, inverse, sum = 0.0, along = 0.0;
    moments(&middle, &inverse, from, d, w->epsilon);
    for (int a = 0; a < d; a++) {
      sum += w->gain[a] * g[a];
      along += w->gain[a] * g[a] * (from[a] - middle);
    }
    for (int a = 0; a < d; a++)
      dx[0]->data[at + (size_t)a] +=
          (w->gain[a] * g[a] - sum / d) * inverse - (from[a] - middle) * along / d * inverse * inverse * inverse;
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
  const layernorm_weights *const w = s->of;
  interval *const t = scratch->t;
  (void)err;
  for (int i = 0; i < y->rows; i++) {
    enclose_moments(x[0], i, w->epsilon, scratch);
    for (int a = 0; a < y->cols; a++) {
      interval_sub(&t[2], step_entry(x[0], i, a), &t[0]);
      interval_mul(&t[2], &t[2], &t[1], &scratch->ws);
      interval_set_d(&t[3], w->gain[a]);
      interval_set_d(step_entry(y, i, a), w->bias[a]);
      step_add_product(step_entry(y, i, a), &t[2], &t[3], scratch);
    }
  }
  return ATTCERT_OK;
}

/* As pull_back: t[2] becomes mean g, t[3] = (c . g) / (d s^2). */
static void enclose_sums(const double *gain, const step_enclosure *x, const step_enclosure *dy, int i,
                         step_scratch *scratch) {
  interval *const t = scratch->t;
  interval_set_zero(&t[2]);
  interval_set_zero(&t[3]);
  for (int a = 0; a < x->cols; a++) {
    interval_set_d(&t[4], gain[a]);
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
  const layernorm_weights *const w = s->of;
  interval *const t = scratch->t;
  (void)err;
  for (int i = 0; i < dy->rows; i++) {
    enclose_moments(x[0], i, w->epsilon, scratch);
    enclose_sums(w->gain, x[0], dy, i, scratch);
    for (int a = 0; a < dy->cols; a++) { /* dx += (g - mean g - c (c . g) / (d s^2)) / s */
      interval *const to = step_entry(dx[0], i, a);
      interval_set_d(&t[4], w->gain[a]);
      interval_mul(&t[4], &t[4], step_entry(dy, i, a), &scratch->ws);
      interval_sub(&t[4], &t[4], &t[2]);
      step_subtract_product(&t[4], &t[3], step_entry(x[0], i, a), scratch);
      step_add_product(&t[4], &t[3], &t[0], scratch);
      step_add_product(to, &t[4], &t[1], scratch);
    }
  }
  return ATTCERT_OK;
}

const step_kind step_layernorm = {.name = "layernorm",
                                  .fresh = fresh,
                                  .scratch = scratch,
                                  .forms = step_layernorm_forms,
                                  .round = round_weights,
                                  .execution = step_layernorm_execution,
                                  .value = value,
                                  .pull_back = pull_back,
                                  .enclose = enclose,
                                  .enclose_pull_back = enclose_pull_back};

int step_layernorm_add(network_builder *b, int value, const layernorm_weights *weights) {
  const void *const of = network_copy(b, weights, sizeof *weights);
  return network_add(b, (step){.kind = &step_layernorm, .of = of, .input = {value}, .inputs = 1});
}
