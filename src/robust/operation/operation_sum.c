/* a + b, symbol by symbol, and one row of a form: no remainder; one rounding an entry of center and linear
 * part, u (|x| + |y|) at most. */
#include "linalg/rounding.h"
#include "robust/operation/operation.h"

#include <string.h>

attcert_status operation_sum(form *out, const form *a, const form *b, const form_symbols *symbols, attcert_error *err) {
  attcert_status status = form_init(out, a->rows, a->cols, err);
  for (int i = 0; i < a->rows && status == ATTCERT_OK; i++) {
    const form_row *const x = &a->row[i], *const y = &b->row[i];
    const form_layout *const layouts[] = {&x->layout, &y->layout};
    form_row *const sum = &out->row[i];
    sum->token = x->token;
    status = operation_row_layout(out, i, layouts, 2, NULL, 0, symbols, err);
    if (status != ATTCERT_OK) break;
    form_layout_add(sum->linear, &sum->layout, x->linear, &x->layout, a->cols, 1.0);
    form_layout_add(sum->linear, &sum->layout, y->linear, &y->layout, a->cols, 1.0);
  }
  for (size_t i = 0; status == ATTCERT_OK && i < (size_t)a->rows * (size_t)a->cols; i++) {
    const double terms = a->support[i].magnitude + b->support[i].magnitude + fabs(a->center[i]) + fabs(b->center[i]);
    out->center[i] = a->center[i] + b->center[i];
    out->radius[i] = round_up_nonnegative(a->radius[i] + b->radius[i] + UNIT_ROUNDOFF * terms, 8.0);
  }
  return status;
}

attcert_status operation_select(form *out, const form *in, int token, const form_symbols *symbols, attcert_error *err) {
  int i = 0;
  while (in->row[i].token != token) i++;
  const form_row *const row = &in->row[i];
  const form_layout *const layout = &row->layout;
  const size_t cols = (size_t)in->cols, from = (size_t)i * cols;
  attcert_status status = form_init(out, 1, in->cols, err);
  if (status == ATTCERT_OK) status = operation_row_layout(out, 0, &layout, 1, NULL, 0, symbols, err);
  if (status != ATTCERT_OK) return status;
  out->row[0].token = token;
  const size_t columns = (size_t)form_layout_columns(layout);
  if (columns > 0) memcpy(out->row[0].linear, row->linear, cols * columns * sizeof(double));
  memcpy(out->center, in->center + from, cols * sizeof(double));
  memcpy(out->radius, in->radius + from, cols * sizeof(double));
  return ATTCERT_OK;
}
