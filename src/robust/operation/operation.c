#include "robust/operation/operation.h"

#include <string.h>

attcert_status operation_row_layout(form *out, int i, const form_layout *const *in, int count, int first,
                                    const form_symbols *symbols, attcert_error *err) {
  form_layout layout;
  const attcert_status status = form_layout_unite(&layout, in, count, first, symbols, err);
  return status == ATTCERT_OK ? form_set_layout(out, i, &layout, err) : status;
}

attcert_status operation_fresh(form_symbols *symbols, const double *bound, int width, double norm, int origin,
                               attcert_error *err) {
  int id;
  double squares = 0.0;
  for (int k = 0; k < width; k++) {
    if (!(bound[k] >= 0.0 && bound[k] <= 0x1p300))
      return attcert_fail(err, ATTCERT_UNDECIDED, "a remainder is unbounded on the ball");
    squares += bound[k] * bound[k];
  }
  /* where the entries alone bound the norm as well, the second bound would only cost time */
  const bool useful = norm <= 0x1p300 && norm < 0.99 * sqrt(squares);
  const form_segment segment = {
      .width = width, .radius = useful ? norm : INFINITY, .bound = (double *)bound, .origin = origin};
  return form_symbols_add(&id, symbols, &segment, err);
}

/* Row i of `out`: the token and the symbols of `from`, whose columns stay 0, and a fresh one an entry, itself. */
static attcert_status fresh_row(form *out, int i, const form_row *from, const double *bound, form_symbols *symbols,
                                int origin, attcert_error *err) {
  const form_layout *const layout = &from->layout;
  const int first = symbols->count;
  const size_t cols = (size_t)out->cols, columns = (size_t)form_layout_columns(layout);
  out->row[i].token = from->token;
  attcert_status status = operation_fresh(symbols, bound, out->cols, INFINITY, origin, err);
  if (status == ATTCERT_OK) status = operation_row_layout(out, i, &layout, 1, first, symbols, err);
  for (size_t c = 0; c < cols && status == ATTCERT_OK; c++)
    out->row[i].linear[c * (columns + cols) + columns + c] = 1.0;
  return status;
}

/* What is a matter of roundings then passes through later operations with its sign, instead of being bounded anew at
 * each. */
attcert_status operation_absorb(form *out, const form *in, form_symbols *symbols, int origin, attcert_error *err) {
  const size_t cols = (size_t)in->cols;
  attcert_status status = form_init(out, in->rows, in->cols, err);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_row *const from = &in->row[i], *const to = &out->row[i];
    status = fresh_row(out, i, from, in->radius + (size_t)i * cols, symbols, origin, err);
    if (status == ATTCERT_OK) form_layout_add(to->linear, &to->layout, from->linear, &from->layout, in->cols, 1.0);
  }
  if (status == ATTCERT_OK) memcpy(out->center, in->center, (size_t)in->rows * cols * sizeof(double));
  return status;
}
