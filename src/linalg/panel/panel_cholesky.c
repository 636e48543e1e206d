#include "linalg/panel/panel_cholesky.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "base/process_group.h"
#include "base/progress_report.h"
#include "linalg/blas/blas_single.h"
#include "linalg/blas/matrix_product.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Two tiles of PANEL_CHUNK x PANEL_WIDTH for each thread; the row sums that one panel gives, and what each of its
 * chunks adds to those of the panel's columns. */
typedef struct {
  int threads;
  size_t tile; /* doubles */
  double *copy, *product, *row_sum, *column_sum;
} tiles;

static array_table arrays_of(tiles *t, const panels *a, int threads) {
  const size_t width = (size_t)a->width, n = (size_t)a->n, of_threads = (size_t)threads;
  *t = (tiles){.threads = threads, .tile = (size_t)panel_chunk_rows(a->n, 0) * width};
  return (array_table){{ARRAY(t->copy, of_threads, t->tile), ARRAY(t->product, of_threads, t->tile),
                        ARRAY(t->row_sum, n), ARRAY(t->column_sum, (size_t)panel_chunks(a->n), width)}};
}

uint64_t panel_cholesky_bytes(const panels *shape, int threads) {
  tiles t;
  const array_table arrays = arrays_of(&t, shape, threads);
  return array_table_bytes(&arrays);
}

/* ---- chunks, shared by threads ----------------------------------------------------------------------------------- */

/* Chunks of a panel that is factored, or of those that are brought up to date with it; each is written by one thread,
 * which has two tiles for it. */
typedef struct chunk_list {
  void (*write)(const struct chunk_list *list, int chunk, double *copy, double *product);
  const panels *a;
  const tiles *t;
  const panel_part *source;
  int first, end, count; /* panels; chunks of all of them */
  atomic_int next;
} chunk_list;

static void take_chunks(void *context, int thread) {
  chunk_list *const list = context;
  const size_t at = (size_t)thread * list->t->tile;
  for (int chunk = atomic_fetch_add(&list->next, 1); chunk < list->count; chunk = atomic_fetch_add(&list->next, 1))
    list->write(list, chunk, list->t->copy + at, list->t->product + at);
}

static void share_chunks(chunk_list *list) {
  atomic_init(&list->next, 0);
  parallel_for(list->t->threads, list->t->threads, take_chunks, list);
}

static void subtract_from(double *restrict x, const double *restrict y, size_t count) {
  for (size_t i = 0; i < count; i++) x[i] -= y[i];
}

static const double *part_row(const panel_part *part, int i) {
  return part->data + (size_t)(i - part->first_row) * (size_t)part->columns;
}

/* Rows of panel `target`, less a product with the factored panel. */
static void update_chunk(const chunk_list *list, int chunk, double *copy, double *product) {
  const panels *const a = list->a;
  int target = list->first;
  (void)copy;
  for (; !panel_is_own(a, target) || chunk >= panel_chunks(panel_rows(a, target)); target++)
    if (panel_is_own(a, target)) chunk -= panel_chunks(panel_rows(a, target));
  const int top = panel_first(a, target), cols = panel_columns(a, target), i = top + chunk * PANEL_CHUNK;
  const int rows = panel_chunk_rows(a->n, i);
  matrix_multiply_transposed(product, part_row(list->source, i), part_row(list->source, top), rows, cols,
                             list->source->columns);
  subtract_from(panel_row(a, target, i), product, (size_t)rows * (size_t)cols);
}

/* The own panels `first` ... of the window := themselves - the products of a factored panel. */
static void update(const panels *a, int first, int end, const panel_part *source, const tiles *t) {
  chunk_list list = {.write = update_chunk, .a = a, .t = t, .source = source, .first = first, .end = end};
  for (int target = first; target < end; target++)
    if (panel_is_own(a, target)) list.count += panel_chunks(panel_rows(a, target));
  share_chunks(&list);
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
static void keep(double *copy, const panels *a, int p, int i, int rows) {
  memcpy(copy, panel_row(a, p, i), (size_t)rows * (size_t)panel_columns(a, p) * sizeof(double));
}

/* The row sums of the kept C - L L_pp^T, and what they add to those of the panel's columns. */
static void measure(double *row_sum, double *column_sum, const panels *a, int p, int i, int rows, double *copy,
                    double *product) {
  const int cols = panel_columns(a, p);
  matrix_multiply_transposed(product, panel_row(a, p, i), a->panel[p], rows, cols, cols);
  subtract_from(copy, product, (size_t)rows * (size_t)cols);
  panels_add_row_sums(row_sum + i, column_sum, copy, i, rows, panel_first(a, p), cols);
}

/* Rows below the square of the panel. */
static void factor_chunk(const chunk_list *list, int chunk, double *copy, double *product) {
  const panels *const a = list->a;
  const int p = list->first, i = panel_first(a, p) + panel_columns(a, p) + chunk * PANEL_CHUNK,
            rows = panel_chunk_rows(a->n, i);
  keep(copy, a, p, i, rows);
  solve_rows(a, p, i, rows);
  measure(list->t->row_sum, list->t->column_sum + chunk * a->width, a, p, i, rows, copy, product);
}

/* Panel p: C -> L, measured into the tiles' row sums. */
static int factor(const panels *a, int p, const tiles *t) {
  const int top = panel_first(a, p), cols = panel_columns(a, p);
  chunk_list below = {.write = factor_chunk, .a = a, .t = t, .first = p, .count = panel_chunks(a->n - top - cols)};
  memset(t->row_sum, 0, sizeof(double) * (size_t)a->n);
  memset(t->column_sum, 0, sizeof(double) * (size_t)(below.count * a->width));
  keep(t->copy, a, p, top, cols);
  const int column = factor_square(a, p);
  if (column != PANEL_CHOLESKY_DONE) return column;
  measure(t->row_sum, t->row_sum + top, a, p, top, cols, t->copy, t->product);
  share_chunks(&below);
  for (int chunk = 0; chunk < below.count; chunk++)
    for (int j = 0; j < cols; j++) t->row_sum[top + j] += t->column_sum[chunk * a->width + j];
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
  if (status != ATTCERT_OK) return status;
  update(a, first, s->end, &part, t);
  for (int target = first; target < s->end; target++)
    if (panel_is_own(a, target)) progress->done += step_operations(a, target, p);
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
  const array_table arrays = arrays_of(&t, &s->a, parallel_threads(options != NULL ? options->threads : 0));
  attcert_status status = array_table_allocate(&arrays, err, "the factorisation of a matrix of side %d", s->a.n);
  status = process_group_allreduce_status(s->storage.group, status, err);
  blas_single_begin();
  if (status == ATTCERT_OK) status = factor_window(failed, s, row_sum, &t, progress, options, err);
  blas_single_end();
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
