/* An activation function or tanh, entry by entry. In double: the estimates of curve and slope. */
#include "robust/step/step.h"

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  return operation_activation(out, in[0], s->curve, symbols, origin, err);
}

/* GELU: the argument of erf or tanh has a relative error below 8 u, which moves the function by at most
 * 8 u max |a f'(a)| < 4 u; the function itself is off by 2 ulp u, 1 + f by one rounding, the two products with x/2 by
 * one each: together |x| u (2 ulp + 12) covers them. tanh: 2 ulp u and the same. ReLU rounds nothing. Then the result
 * is stored. */
static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  (void)symbols;
  (void)err;
  if (s->curve == &curve_relu) return ATTCERT_OK;
  for (int i = 0; i < out->rows; i++) {
    for (int c = 0; c < out->cols; c++) {
      const double x = step_format_size(in[0], i, c) + 1.0;
      const double computed = x * format->unit * (2.0 * format->ulp + 12.0) + 8.0 * x * format->tiny;
      const double stored = 1.01 * format->store * (step_format_size(out, i, c) + computed);
      step_format_add(out, i, c, computed + stored, s->curve == &curve_gelu_tanh ? x * x * x : x, format);
    }
  }
  return ATTCERT_OK;
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

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)err;
  for (size_t k = 0; k < (size_t)y->rows * (size_t)y->cols; k++)
    s->curve->enclose(&y->entry[k], &scratch->t[0], &x[0]->entry[k], &scratch->ws);
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)err;
  for (size_t k = 0; k < (size_t)dy->rows * (size_t)dy->cols; k++) {
    s->curve->enclose(&scratch->t[0], &scratch->t[1], &x[0]->entry[k], &scratch->ws);
    step_add_product(&dx[0]->entry[k], &scratch->t[1], &dy->entry[k], scratch);
  }
  return ATTCERT_OK;
}

const step_kind step_activation = {"activation", forms, execution, value, pull_back, enclose, enclose_pull_back};
