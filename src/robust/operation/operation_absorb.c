/* The radius of every entry becomes a symbol of its own: what is a matter of roundings then passes through later
 * operations with its sign, instead of being bounded anew at each. */
#include "robust/operation/operation.h"

#include <string.h>

static void write_row(form *out, const form *in, int i, int fresh) {
  const form_row *const from = &in->row[i], *const to = &out->row[i];
  const size_t columns = (size_t)form_layout_columns(&from->layout), width = (size_t)form_layout_columns(&to->layout);
  const size_t first = (size_t)operation_column(out, i, fresh);
  for (size_t c = 0; c < (size_t)in->cols; c++) {
    if (columns > 0) memcpy(to->linear + c * width, from->linear + c * columns, columns * sizeof(double));
    to->linear[c * width + first + c] = 1.0;
  }
}

attcert_status operation_absorb(form *out, const form *in, form_symbols *symbols, int origin, attcert_error *err) {
  const size_t cols = (size_t)in->cols;
  attcert_status status = form_init(out, in->rows, in->cols, err);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &in->row[i].layout;
    int fresh;
    out->row[i].token = in->row[i].token;
    status = operation_fresh(&fresh, symbols, in->radius + (size_t)i * cols, in->cols, INFINITY, origin, err);
    if (status == ATTCERT_OK) status = operation_row_layout(out, i, &layout, 1, &fresh, 1, symbols, err);
    if (status == ATTCERT_OK) write_row(out, in, i, fresh);
  }
  if (status == ATTCERT_OK) memcpy(out->center, in->center, (size_t)in->rows * cols * sizeof(double));
  return status;
}
