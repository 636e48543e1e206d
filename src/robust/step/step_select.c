/* One row: the token whose result counts. */
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "robust/step/step.h"

#include <string.h>

static int sources(step_source *from, const step *s, const step_row *row) {
  from[0] = (step_source){0, 0};
  while (row->token[from[0].row] != s->token) from[0].row++;
  return 1;
}

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  (void)origin;
  return operation_select(out, in[0], s->token, symbols, err);
}

/* Nothing is computed. */
static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  (void)out;
  (void)s;
  (void)in;
  (void)symbols;
  (void)format;
  (void)err;
  return ATTCERT_OK;
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

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)scratch;
  (void)err;
  for (int c = 0; c < y->cols; c++) interval_set(step_entry(y, 0, c), step_entry(x[0], s->token, c));
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)x;
  (void)scratch;
  (void)err;
  for (int c = 0; c < dy->cols; c++) {
    interval *const to = step_entry(dx[0], s->token, c);
    interval_add(to, to, step_entry(dy, 0, c));
  }
  return ATTCERT_OK;
}

const step_kind step_select = {"select",  sources, NULL,      NULL,    forms,
                               execution, value,   pull_back, enclose, enclose_pull_back};
