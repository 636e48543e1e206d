#include "robust/operation/operation.h"

#include "base/arrays.h"
#include "linalg/rounding.h"

#include <stdlib.h>
#include <string.h>

attcert_status operation_row_layout(form *out, int i, const form_layout *const *in, int count, const int *fresh,
                                    int fresh_count, const form_symbols *symbols, attcert_error *err) {
  form_layout united = {0}, all = {0};
  attcert_status status = form_layout_unite(&united, in, count, symbols, err);
  const size_t segments = (size_t)united.count + (size_t)fresh_count;
  int *const id =
      status == ATTCERT_OK ? array_new(segments, sizeof *id, err, "a list of %zu segments", segments) : NULL;
  if (id == NULL) {
    form_layout_clear(&united);
    return ATTCERT_RESOURCE;
  }
  if (united.count > 0) memcpy(id, united.id, (size_t)united.count * sizeof *id);
  if (fresh_count > 0) memcpy(id + united.count, fresh, (size_t)fresh_count * sizeof *id);
  status = form_layout_set(&all, id, (int)segments, symbols, err);
  if (status == ATTCERT_OK) status = form_set_layout(out, i, &all, err);
  form_layout_clear(&united);
  form_layout_clear(&all);
  free(id);
  return status;
}

attcert_status operation_fresh(int *id, form_symbols *symbols, const double *bound, int width, double norm, int origin,
                               attcert_error *err) {
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
  return form_symbols_add(id, symbols, &segment, err);
}

int operation_column(const form *f, int i, int id) {
  const form_layout *const layout = &f->row[i].layout;
  int s = 0;
  while (layout->id[s] != id) s++;
  return layout->start[s];
}
