/* y = W x + b. */
#include "model/linear.h"
#include "robust/step/step.h"

#include <cblas.h>

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  (void)origin;
  return operation_affine(out, in[0], s->weight, s->bias, s->cols, symbols, err);
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  linear_apply(y->data, x[0]->data, x[0]->rows, s->weight, s->bias, s->cols, x[0]->cols);
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)err;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, dy->rows, x[0]->cols, dy->cols, 1.0, dy->data, dy->cols,
              s->weight, x[0]->cols, 1.0, dx[0]->data, x[0]->cols);
  return ATTCERT_OK;
}

const step_kind step_affine = {"affine", forms, value, pull_back};
