/* LayerNorm with the real division. */
#include "robust/step/step.h"

#include <math.h>

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

const step_kind step_layernorm = {"layernorm", forms, value, pull_back};
