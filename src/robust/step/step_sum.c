/* The residual sum y = x_0 + x_1. */
#include "interval/interval_arith.h"
#include "robust/step/step.h"

static int sources(step_source *from, const step *s, const step_row *row) {
  (void)s;
  from[0] = (step_source){0, row->row};
  from[1] = (step_source){1, row->row};
  return 2;
}

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  (void)s;
  (void)origin;
  return operation_sum(out, in[0], in[1], symbols, err);
}

/* One rounding of the sum, and the one that stores it. */
static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  (void)s;
  (void)in;
  (void)symbols;
  (void)err;
  for (int i = 0; i < out->rows; i++) {
    for (int c = 0; c < out->cols; c++) {
      const double size = step_execution_size(out, i, c);
      step_execution_add(out, i, c, step_execution_rounded(&format->compute, size, 0.0), size, format);
    }
  }
  return ATTCERT_OK;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)s;
  (void)err;
  for (size_t i = 0; i < (size_t)y->rows * (size_t)y->cols; i++) y->data[i] = x[0]->data[i] + x[1]->data[i];
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)s;
  (void)x;
  (void)err;
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < (size_t)dy->rows * (size_t)dy->cols; i++) dx[k]->data[i] += dy->data[i];
  }
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)s;
  (void)scratch;
  (void)err;
  for (size_t k = 0; k < (size_t)y->rows * (size_t)y->cols; k++)
    interval_add(&y->entry[k], &x[0]->entry[k], &x[1]->entry[k]);
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)s;
  (void)x;
  (void)scratch;
  (void)err;
  for (size_t k = 0; k < (size_t)dy->rows * (size_t)dy->cols; k++) {
    for (int i = 0; i < 2; i++) interval_add(&dx[i]->entry[k], &dx[i]->entry[k], &dy->entry[k]);
  }
  return ATTCERT_OK;
}

const step_kind step_sum = {"sum", sources, NULL, NULL, forms, execution, value, pull_back, enclose, enclose_pull_back};
