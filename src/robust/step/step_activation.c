/* An activation function or tanh, entry by entry. In double: the estimates of curve and slope. */
#include "robust/step/step.h"

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  return operation_activation(out, in[0], s->curve, symbols, origin, err);
}

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

const step_kind step_activation = {"activation", forms, value, pull_back};
