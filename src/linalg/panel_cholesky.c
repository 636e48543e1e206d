#include "linalg/panel_cholesky.h"

#include "base/arrays.h"
#include "base/process_group.h"
#include "linalg/matrix_product.h"

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

/* The square on top of panel p := its factor. Row-major lower is column-major upper: U^T U = L L^T. */
static bool factor_square(const panels *a, int p) {
  const int size = panel_columns(a, p);
  double *const square = a->panel[p];
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', size, square, size) != 0) return false;
  for (int i = 0; i < size; i++) memset(square + i * size + i + 1, 0, sizeof(double) * (size_t)(size - i - 1));
  return true;
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
static bool factor(const panels *a, int p, const tiles *t) {
  const int top = panel_first(a, p), cols = panel_columns(a, p);
  memset(t->row_sum, 0, sizeof(double) * (size_t)a->n);
  keep(a, p, top, cols, t);
  if (!factor_square(a, p)) return false;
  measure(a, p, top, cols, t);
  for (int i = top + cols; i < a->n; i += ROWS) {
    const int rows = rows_from(a, i);
    keep(a, p, i, rows, t);
    solve_rows(a, p, i, rows);
    measure(a, p, i, rows, t);
  }
  return true;
}

/* The owner factors panel p; every process adds its row sums, in the order of the panels. */
static bool factor_shared(const panel_store *s, int p, double *row_sum, const tiles *t) {
  const panels *const a = &s->a;
  const int owner = p % a->size;
  bool positive = panel_is_own(a, p) ? factor(a, p, t) : false;
  process_group_broadcast(s->storage.group, &positive, sizeof positive, owner);
  if (!positive) return false;
  process_group_broadcast(s->storage.group, t->row_sum, sizeof(double) * (size_t)a->n, owner);
  for (int i = 0; i < a->n; i++) row_sum[i] += t->row_sum[i];
  return true;
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

static void report(const panel_progress *progress, const attcert_options *options) {
  if (options != NULL && options->progress != NULL)
    options->progress(options->progress_context, "factorisation", fmin(progress->done / progress->total, 1.0));
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

static attcert_status factor_window(bool *factored, const panel_store *s, double *row_sum, const tiles *t,
                                    panel_progress *progress, const attcert_options *options, attcert_error *err) {
  const panels *const a = &s->a;
  attcert_status status = ATTCERT_OK;
  *factored = true;
  for (int p = 0; p < s->end && *factored && status == ATTCERT_OK; p++) {
    const bool inside = p >= s->first;
    if (inside) *factored = factor_shared(s, p, row_sum, t);
    if (inside && panel_is_own(a, p)) progress->done += step_operations(a, p, p);
    if (*factored) status = update_from(s, p, inside ? p + 1 : s->first, t, progress, err);
    report(progress, options);
  }
  return status;
}

attcert_status panel_cholesky(bool *factored, const panel_store *s, double *row_sum, panel_progress *progress,
                              const attcert_options *options, attcert_error *err) {
  tiles t;
  *factored = false;
  const array_table arrays = arrays_of(&t, &s->a);
  attcert_status status = array_table_allocate(&arrays, err, "the factorisation of a matrix of side %d", s->a.n);
  status = process_group_allreduce_status(s->storage.group, status, err);
  if (status == ATTCERT_OK) status = factor_window(factored, s, row_sum, &t, progress, options, err);
  array_table_release(&arrays);
  return status;
}
