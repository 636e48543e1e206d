#include "certify/panel_cholesky.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows at a time: a product of so many rows stays in the cache until it is subtracted. */
enum { ROWS = 1024 };

/* Two tiles of ROWS x PANEL_WIDTH. */
typedef struct {
  double *copy, *product;
} tiles;

static bool tiles_init(tiles *t, const panels *a) {
  const size_t rows = a->n < ROWS ? (size_t)a->n : ROWS, bytes = rows * (size_t)a->width * sizeof(double);
  *t = (tiles){malloc(bytes), malloc(bytes)};
  return t->copy != NULL && t->product != NULL;
}

static void tiles_clear(tiles *t) {
  free(t->copy);
  free(t->product);
}

/* product (rows x cols) := x y^T for x (rows x inner) and y (cols x inner). */
static void multiply(double *product, const double *x, const double *y, int rows, int cols, int inner) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, cols, inner, 1.0, x, inner, y, inner, 0.0, product, cols);
}

static void subtract(double *restrict x, const double *restrict y, size_t count) {
  for (size_t i = 0; i < count; i++) x[i] -= y[i];
}

static int rows_from(const panels *a, int first) {
  return a->n - first < ROWS ? a->n - first : ROWS;
}

/* Panel `target` := itself - the product of factored panel `source`. */
static void update(const panels *a, int target, int source, const tiles *t) {
  const int cols = panel_columns(a, target), inner = panel_columns(a, source), top = panel_first(a, target);
  for (int i = top; i < a->n; i += ROWS) {
    const int rows = rows_from(a, i);
    multiply(t->product, panel_row(a, source, i), panel_row(a, source, top), rows, cols, inner);
    subtract(panel_row(a, target, i), t->product, (size_t)rows * (size_t)cols);
  }
}

/* Adds the row sums of |residual| for rows first_row ..., columns first_column ..., and those of its mirror image; of a tile on
 * the diagonal, only the lower triangle is looked at. */
static void add_row_sums(double *row_sum, const double *residual, int first_row, int rows, int first_column, int cols) {
  for (int i = 0; i < rows; i++) {
    const int below = first_row + i - first_column, length = below < cols ? below : cols;
    const double *const r = residual + (size_t)i * (size_t)cols;
    double sum = 0.0;
    for (int j = 0; j < length; j++) {
      const double x = fabs(r[j]);
      sum += x;
      row_sum[first_column + j] += x;
    }
    row_sum[first_row + i] += below < cols ? sum + fabs(r[below]) : sum;
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
static void measure(const panels *a, int p, int i, int rows, double *row_sum, const tiles *t) {
  const int cols = panel_columns(a, p);
  multiply(t->product, panel_row(a, p, i), a->panel[p], rows, cols, cols);
  subtract(t->copy, t->product, (size_t)rows * (size_t)cols);
  add_row_sums(row_sum, t->copy, i, rows, panel_first(a, p), cols);
}

/* Panel p: C -> L, measured. */
static bool factor(const panels *a, int p, double *row_sum, const tiles *t) {
  const int top = panel_first(a, p), cols = panel_columns(a, p);
  keep(a, p, top, cols, t);
  if (!factor_square(a, p)) return false;
  measure(a, p, top, cols, row_sum, t);
  for (int i = top + cols; i < a->n; i += ROWS) {
    const int rows = rows_from(a, i);
    keep(a, p, i, rows, t);
    solve_rows(a, p, i, rows);
    measure(a, p, i, rows, row_sum, t);
  }
  return true;
}

/* The share of the flops spent when `rows` of n rows are left. */
static double share_done(int rows, int n) {
  const double left = (double)rows / (double)n;
  return 1.0 - left * left * left;
}

attcert_status panel_cholesky(bool *factored, panels *a, double *row_sum, const attcert_options *options,
                              attcert_error *err) {
  tiles t;
  *factored = false;
  if (!tiles_init(&t, a)) {
    tiles_clear(&t);
    return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: factorising a matrix of side %d", a->n);
  }
  bool positive = true;
  for (int p = 0; positive && p < a->count; p++) {
    positive = factor(a, p, row_sum, &t);
    for (int later = p + 1; positive && later < a->count; later++) update(a, later, p, &t);
    if (options != NULL && options->progress != NULL)
      options->progress(options->progress_context, "factorisation",
                        share_done(panel_rows(a, p) - panel_columns(a, p), a->n));
  }
  tiles_clear(&t);
  *factored = positive;
  return ATTCERT_OK;
}
