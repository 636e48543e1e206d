/* In row i, the symbols of segments older than `before` give way to one fresh symbol an entry:
 *   sum_k B_ck eta_k  becomes  eta_c,   |eta_c| <= the support of that sum (form_support_of), ||eta|| <= the norm of
 * those sums (form_norm.c), which holds for every value of theirs; other rows and forms keep theirs. Nothing is rounded
 * but the bounds. Without that of the norm, every merging could cost the root of the number of entries. */
#include "base/arrays.h"
#include "linalg/rounding/rounding.h"
#include "robust/operation/operation.h"

#include <stdlib.h>
#include <string.h>

/* The old segments of a row by themselves. */
typedef struct {
  form_layout layout;
  double *linear, *bound; /* [cols, columns], [cols] */
  form_support *support;  /* [cols] */
  double norm;
} old_part;

static array_table old_table(old_part *old, size_t cols) {
  const size_t columns = (size_t)form_layout_columns(&old->layout);
  return (array_table){{ARRAY(old->linear, cols, columns), ARRAY(old->bound, cols), ARRAY(old->support, cols)}};
}

/* Bounds of their sum, entry by entry and in norm. */
static attcert_status bound_sum(old_part *old, const form_row *row, int cols, size_t first, const form_symbols *symbols,
                                attcert_error *err) {
  const size_t columns = (size_t)form_layout_columns(&old->layout), all = (size_t)form_layout_columns(&row->layout);
  form_norm norm;
  for (size_t c = 0; c < (size_t)cols; c++) {
    memcpy(old->linear + c * columns, row->linear + c * all + first, columns * sizeof(double));
    old->support[c] = form_support_of(old->linear + c * columns, &old->layout, symbols);
    old->bound[c] = old->support[c].other;
  }
  const attcert_status status = form_norm_of(&norm, old->linear, cols, &old->layout, old->support, symbols, err);
  old->norm = norm.other;
  return status;
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

/* The fresh segment and the row's symbols with it. */
static attcert_status replace(form_layout *layout, const form_row *row, int cols, form_layout_run run,
                              form_symbols *symbols, int origin, attcert_error *err) {
  old_part old = {0};
  attcert_status status = form_layout_set(&old.layout, row->layout.id + run.first, run.last - run.first, symbols, err);
  const array_table table = old_table(&old, (size_t)cols);
  if (status == ATTCERT_OK)
    status = array_table_allocate(&table, err, "%d columns of a form", form_layout_columns(&old.layout));
  if (status == ATTCERT_OK) status = bound_sum(&old, row, cols, (size_t)row->layout.start[run.first], symbols, err);
  if (status == ATTCERT_OK) status = operation_fresh(symbols, old.bound, cols, old.norm, origin, err);
  if (status == ATTCERT_OK) status = form_layout_merge(layout, &row->layout, run, symbols->count - 1, symbols, err);
  array_table_release(&table);
  form_layout_clear(&old.layout);
  return status;
}

static attcert_status merge_row(form *f, int i, form_layout_run old, form_symbols *symbols, int origin,
                                attcert_error *err) {
  form_row before = f->row[i];
  form_layout layout = {0};
  attcert_status status = replace(&layout, &before, f->cols, old, symbols, origin, err);
  if (status == ATTCERT_OK) {
    f->row[i].layout = (form_layout){0};
    f->row[i].linear = NULL;
    status = form_set_layout(f, i, &layout, err);
    if (status == ATTCERT_OK) write_row(&f->row[i], &before, f->cols, old);
    form_layout_clear(&before.layout);
    free(before.linear);
  }
  form_layout_clear(&layout);
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
