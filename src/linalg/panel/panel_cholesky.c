#include "linalg/panel/panel_cholesky.h"

#include "base/arrays.h"
#include "base/process_group.h"
#include "base/progress_report.h"
#include "linalg/blas/matrix_product.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Rows at a time: a product of so many rows stays in the cache until it is subtracted. */
enum { ROWS = 1024 };

/* Two tiles of ROWS x PANEL_WIDTH, and the row sums that one panel gives. */
typedef struct {
  double *copy, *product, *row_sum;
} tiles;

static array_table arrays_of(tiles *t, const panels *a) {
  const size_t rows = a->n < ROWS ? (size_t)a->n : ROWS, width = (size_t)a->width;
  return (array_table){{ARRAY(t->copy, rows, width), ARRAY(t->product, rows, width), ARRAY(t->row_sum, (size_t)a->n)}};
}

uint64_t panel_cholesky_bytes(const panels *shape) {
  tiles t;
  const array_table arrays = arrays_of(&t, shape);
  return array_table_bytes(&arrays);
}

static void subtract_from(double *restrict x, const double *restrict y, size_t count) {
  for (size_t i = 0; i < count; i++) x[i] -= y[i];
}

static int rows_from(const panels *a, int first) {
  return a->n - first < ROWS ? a->n - first : ROWS;
}

static const double *part_row(const panel_part *part, int i) {
  return part->data + (size_t)(i - part->first_row) * (size_t)part->columns;
}

/* Panel `target` := itself - the product of a factored panel. */
static void update(const panels *a, int target, const panel_part *source, const tiles *t) {
  const int cols = panel_columns(a, target), top = panel_first(a, target);
  for (int i = top; i < a->n; i += ROWS) {
    const int rows = rows_from(a, i);
    matrix_multiply_transposed(t->product, part_row(source, i), part_row(source, top), rows, cols, source->columns);
    subtract_from(panel_row(a, target, i), t->product, (size_t)rows * (size_t)cols);
  }
}

/* The square on top of panel p := its factor. Row-major lower is column-major upper: U^T U = L L^T. Returns the column
 * of the matrix whose pivot is not positive: the rows of L up to it, its own included, are then in place. */
static int factor_square(const panels *a, int p) {
  const int size = panel_columns(a, p);
  double *const square = a->panel[p];
  const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', size, square, size);
  if (info != 0) return panel_first(a, p) + (info > 0 && info <= size ? info - 1 : 0);
  for (int i = 0; i < size; i++) memset(square + i * size + i + 1, 0, sizeof(double) * (size_t)(size - i - 1));
  return PANEL_CHOLESKY_DONE;
}

/* `rows` rows of panel p from row i on: C -> L = C L_pp^-T. */
static void solve_rows(const panels *a, int p, int i, int rows) {
  const int cols = panel_columns(a, p);
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows, cols, 1.0, a->panel[p], cols,
              panel_row(a, p, i), cols);
}

/* Keeps what the residual needs of `rows` rows of panel p from row i on, before they are factored. */
static void keep(const panels *a, int p, int i, int rows, const tiles *t) {
  memcpy(t->copy, panel_row(a, p, i), (size_t)rows * (size_t)panel_columns(a, p) * sizeof(double));
}

/* The row sums of the kept C - L L_pp^T. */
static void measure(const panels *a, int p, int i, int rows, const tiles *t) {
  const int cols = panel_columns(a, p);
  matrix_multiply_transposed(t->product, panel_row(a, p, i), a->panel[p], rows, cols, cols);
  subtract_from(t->copy, t->product, (size_t)rows * (size_t)cols);
  panels_add_row_sums(t->row_sum, t->copy, i, rows, panel_first(a, p), cols);
}

/* Panel p: C -> L, measured into the tiles' row sums. */
static int factor(const panels *a, int p, const tiles *t) {
  const int top = panel_first(a, p), cols = panel_columns(a, p);
  memset(t->row_sum, 0, sizeof(double) * (size_t)a->n);
  keep(a, p, top, cols, t);
  const int column = factor_square(a, p);
  if (column != PANEL_CHOLESKY_DONE) return column;
  measure(a, p, top, cols, t);
  for (int i = top + cols; i < a->n; i += ROWS) {
    const int rows = rows_from(a, i);
    keep(a, p, i, rows, t);
    solve_rows(a, p, i, rows);
    measure(a, p, i, rows, t);
  }
  return PANEL_CHOLESKY_DONE;
}

/* The owner factors panel p; every process adds its row sums, in the order of the panels. Returns what factor does. */
static int factor_shared(const panel_store *s, int p, double *row_sum, const tiles *t) {
  const panels *const a = &s->a;
  const int owner = p % a->size;
  int column = panel_is_own(a, p) ? factor(a, p, t) : PANEL_CHOLESKY_DONE;
  process_group_broadcast(s->storage.group, &column, sizeof column, owner);
  if (column != PANEL_CHOLESKY_DONE) return column;
  process_group_broadcast(s->storage.group, t->row_sum, sizeof(double) * (size_t)a->n, owner);
  for (int i = 0; i < a->n; i++) row_sum[i] += t->row_sum[i];
  return PANEL_CHOLESKY_DONE;
}

/* Multiply-adds of bringing panel `target` up to date with panel `source`, or of factoring
 * it when they are the same. */
static double step_operations(const panels *a, int target, int source) {
  return (double)panel_rows(a, target) * (double)panel_columns(a, target) * (double)panel_columns(a, source);
}

panel_progress panel_cholesky_progress_start(const panels *a) {
  panel_progress progress = {0.0, 0.0};
  for (int target = a->rank; target < a->count; target += a->size)
    for (int source = 0; source <= target; source++) progress.total += step_operations(a, target, source);
  return progress;
}

static attcert_status report(const panel_progress *progress, const attcert_options *options, attcert_error *err) {
  return progress_report(options, "factorisation", fmin(progress->done / progress->total, 1.0), err);
}

/* Own panels first ... of the window, brought up to date with factored panel p. */
static attcert_status update_from(const panel_store *s, int p, int first, const tiles *t, panel_progress *progress,
                                  attcert_error *err) {
  const panels *const a = &s->a;
  panel_part part;
  if (first >= s->end) return ATTCERT_OK;
  const attcert_status status = panel_store_fetch(&part, s, p, panel_first(a, first), err);
  for (int target = first; target < s->end && status == ATTCERT_OK; target++) {
    if (!panel_is_own(a, target)) continue;
    update(a, target, &part, t);
    progress->done += step_operations(a, target, p);
  }
  return status;
}

static attcert_status factor_window(int *failed, const panel_store *s, double *row_sum, const tiles *t,
                                    panel_progress *progress, const attcert_options *options, attcert_error *err) {
  const panels *const a = &s->a;
  attcert_status status = ATTCERT_OK;
  *failed = PANEL_CHOLESKY_DONE;
  for (int p = 0; p < s->end && *failed == PANEL_CHOLESKY_DONE && status == ATTCERT_OK; p++) {
    const bool inside = p >= s->first;
    if (inside) *failed = factor_shared(s, p, row_sum, t);
    if (inside && panel_is_own(a, p)) progress->done += step_operations(a, p, p);
    if (*failed == PANEL_CHOLESKY_DONE) status = update_from(s, p, inside ? p + 1 : s->first, t, progress, err);
    if (status == ATTCERT_OK) status = report(progress, options, err);
  }
  return status;
}

attcert_status panel_cholesky(int *failed, const panel_store *s, double *row_sum, panel_progress *progress,
                              const attcert_options *options, attcert_error *err) {
  tiles t;
  *failed = PANEL_CHOLESKY_DONE;
  const array_table arrays = arrays_of(&t, &s->a);
  attcert_status status = array_table_allocate(&arrays, err, "the factorisation of a matrix of side %d", s->a.n);
  status = process_group_allreduce_status(s->storage.group, status, err);
  if (status == ATTCERT_OK) status = factor_window(failed, s, row_sum, &t, progress, options, err);
  array_table_release(&arrays);
  return status;
}

/* ---- a failed factorisation ------------------------------------------------------------------------------------- */

/* w, `size` entries from panel p's first column on, := -L_pp^-T sum_i l_i w_i, l_i the rows from `first` to `last` of
 * the panel's columns. */
static void solve_backward(double *w, const panel_part *part, int size, int first, int last) {
  const int top = part->first_row, stride = part->columns;
  double *const x = w + top;
  if (size == 0) return;
  cblas_dgemv(CblasRowMajor, CblasTrans, last - first + 1, size, -1.0, part_row(part, first), stride, w + first, 1, 0.0,
              x, 1);
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, size, part->data, stride, x, 1);
}

attcert_status panel_cholesky_curvature(double *w, const panel_store *s, int column, attcert_error *err) {
  const panels *const a = &s->a;
  attcert_status status = ATTCERT_OK;
  memset(w, 0, sizeof(double) * (size_t)a->n);
  w[column] = 1.0;
  for (int p = column / a->width; p >= 0 && status == ATTCERT_OK; p--) {
    panel_part part;
    const int top = panel_first(a, p), below = top + panel_columns(a, p) < column ? top + panel_columns(a, p) : column;
    status = panel_store_fetch(&part, s, p, top, err);
    if (status == ATTCERT_OK) solve_backward(w, &part, below - top, below, column);
  }
  return status;
}
