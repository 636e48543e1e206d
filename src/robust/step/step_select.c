/* One row: the token whose result counts. */
#include "robust/step/step.h"

#include <string.h>

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  (void)origin;
  return operation_select(out, in[0], s->token, symbols, err);
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  memcpy(y->data, x[0]->data + (size_t)s->token * (size_t)y->cols, (size_t)y->cols * sizeof(double));
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)x;
  (void)err;
  for (int c = 0; c < dy->cols; c++) dx[0]->data[(size_t)s->token * (size_t)dy->cols + (size_t)c] += dy->data[c];
  return ATTCERT_OK;
}

const step_kind step_select = {"select", forms, value, pull_back};
