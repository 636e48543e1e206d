/* In row i, the symbols of segments older than `before` give way to one fresh symbol an entry:
 *   sum_k B_ck eta_k  becomes  eta_c,   |eta_c| <= the support of that sum (form_segment_support, segment by segment),
 * which holds for every value of theirs; other rows and forms keep theirs. Nothing is rounded but the bound. */
#include "base/arrays.h"
#include "linalg/rounding.h"
#include "robust/operation/operation.h"

#include <stdlib.h>
#include <string.h>

/* bound[c] of the segments `first` to `last` - 1. */
static void bound_entries(double *bound, const form *f, int i, form_layout_run old, const form_symbols *symbols) {
  const form_layout *const layout = &f->row[i].layout;
  const size_t columns = (size_t)form_layout_columns(layout);
  for (size_t c = 0; c < (size_t)f->cols; c++) {
    bound[c] = 0.0;
    for (int s = old.first; s < old.last; s++)
      bound[c] +=
          form_segment_support(f->row[i].linear + c * columns + layout->start[s], &symbols->segment[layout->id[s]]);
    bound[c] = round_up_nonnegative(bound[c], old.last - old.first);
  }
}

/* The row of `from` without the old segments: what is before and behind them, then the identity. */
static void write_row(form_row *to, const form_row *from, int cols, form_layout_run old) {
  const size_t columns = (size_t)form_layout_columns(&from->layout), width = (size_t)form_layout_columns(&to->layout);
  const size_t head = (size_t)from->layout.start[old.first], skip = (size_t)from->layout.start[old.last];
  for (size_t c = 0; c < (size_t)cols; c++) {
    double *const line = to->linear + c * width;
    if (head > 0) memcpy(line, from->linear + c * columns, head * sizeof *line);
    if (columns > skip) memcpy(line + head, from->linear + c * columns + skip, (columns - skip) * sizeof *line);
    line[head + columns - skip + c] = 1.0;
  }
}

static attcert_status merge_row(form *f, int i, form_layout_run old, form_symbols *symbols, int origin,
                                attcert_error *err) {
  form_row before = f->row[i];
  form_layout layout = {0};
  int fresh;
  double *const bound = array_new((size_t)f->cols, sizeof *bound, err, "the bounds of %d symbols", f->cols);
  if (bound == NULL) return ATTCERT_RESOURCE;
  bound_entries(bound, f, i, old, symbols);
  attcert_status status = operation_fresh(&fresh, symbols, bound, f->cols, INFINITY, origin, err);
  if (status == ATTCERT_OK) status = form_layout_merge(&layout, &before.layout, old, fresh, symbols, err);
  if (status == ATTCERT_OK) {
    f->row[i].layout = (form_layout){0};
    f->row[i].linear = NULL;
    status = form_set_layout(f, i, &layout, err);
    if (status == ATTCERT_OK) write_row(&f->row[i], &before, f->cols, old);
    form_layout_clear(&before.layout);
    free(before.linear);
  }
  form_layout_clear(&layout);
  free(bound);
  return status;
}

attcert_status operation_merge(form *f, int before, form_symbols *symbols, int origin, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < f->rows && status == ATTCERT_OK; i++) {
    const form_layout_run old = form_layout_older(&f->row[i].layout, before, f->cols, symbols);
    if (old.first < old.last) status = merge_row(f, i, old, symbols, origin, err);
  }
  return status;
}
