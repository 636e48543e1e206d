#include "robust/narrow.h"

#include "base/arrays.h"
#include "robust/lower.h"

#include <stdlib.h>
#include <string.h>

/* Entries of a row that are open, and the functionals of both of their ends. */
typedef struct {
  form *f;
  int *open; /* [cols] */
  double *w; /* [2 cols][entries] */
} narrowing;

static int find_open(const narrowing *n, int i) {
  int count = 0;
  for (int c = 0; c < n->f->cols; c++) {
    const range of = form_range(n->f, i, c);
    if (of.lo < 0.0 && of.hi > 0.0) n->open[count++] = c;
  }
  return count;
}

static attcert_status narrow_row(const narrowing *n, robust_lower *l, int value, int i, attcert_error *err) {
  const size_t entries = (size_t)n->f->rows * (size_t)n->f->cols, first = (size_t)i * (size_t)n->f->cols;
  const int open = find_open(n, i);
  if (open == 0) return ATTCERT_OK;
  memset(n->w, 0, 2 * (size_t)open * entries * sizeof *n->w);
  for (size_t k = 0; k < (size_t)open; k++) {
    n->w[2 * k * entries + first + (size_t)n->open[k]] = 1.0;
    n->w[(2 * k + 1) * entries + first + (size_t)n->open[k]] = -1.0;
  }
  l->count = 2 * open;
  const attcert_status status = robust_lower_bound(l, value, n->w, err);
  for (int k = 0; k < open && status == ATTCERT_OK; k++)
    n->f->narrowed[first + (size_t)n->open[k]] = (range){l->best[2 * k], -l->best[2 * k + 1]};
  return status;
}

static attcert_status narrow_rows(form *f, robust_lower *l, const network_needed *needed, int value,
                                  attcert_error *err) {
  const size_t entries = (size_t)f->rows * (size_t)f->cols;
  narrowing n = {.f = f};
  const array_table table = {
      {ARRAY(n.open, (size_t)f->cols), ARRAY(n.w, 2 * (size_t)f->cols, entries), ARRAY(f->narrowed, entries)}};
  attcert_status status = array_table_allocate(&table, err, "ranges of %zu entries", entries);
  for (size_t k = 0; k < entries && status == ATTCERT_OK; k++) f->narrowed[k] = (range){-INFINITY, INFINITY};
  for (int i = 0; i < f->rows && status == ATTCERT_OK; i++)
    if (network_needed_row(needed, value, i)) status = narrow_row(&n, l, value, i, err);
  free(n.open);
  free(n.w);
  return status;
}

attcert_status robust_narrow(form *values, const network_steps *network, const network_needed *needed,
                             const form_symbols *symbols, int value, attcert_error *err) {
  robust_lower l;
  attcert_status status = robust_lower_init(&l, network, values, symbols, 2 * values[value].cols, err);
  if (status == ATTCERT_OK) status = narrow_rows(&values[value], &l, needed, value, err);
  robust_lower_clear(&l);
  return status;
}
