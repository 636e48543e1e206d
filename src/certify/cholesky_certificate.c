#include "certify/cholesky_certificate.h"

#include "certify/nonnegative_norm.h"
#include "certify/rounding.h"
#include "certify/sum_upward.h"

#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512, ATTEMPTS = 12 };

typedef struct {
  double *a; /* upper triangle: G; lower triangle with diagonal: M, then L */
  double *g_diagonal, *m_diagonal;
  double *row_sum;   /* of |R~| */
  double *c, *d, *l; /* CHUNK x CHUNK tiles: residual, product, L's diagonal block with its zeros */
  int n, tile;       /* side of the tiles: CHUNK, or n when smaller */
} workspace;

static double *entry(const workspace *w, int i, int j) {
  return w->a + (size_t)i * (size_t)w->n + (size_t)j;
}

static bool workspace_init(workspace *w, double *g, int n) {
  const int side = n < CHUNK ? n : CHUNK;
  const size_t tile = sizeof(double) * (size_t)side * (size_t)side, vector = sizeof(double) * (size_t)n;
  *w = (workspace){.a = g,
                   .g_diagonal = malloc(vector),
                   .m_diagonal = malloc(vector),
                   .row_sum = malloc(vector),
                   .c = malloc(tile),
                   .d = malloc(tile),
                   .l = malloc(tile),
                   .n = n,
                   .tile = side};
  return w->g_diagonal != NULL && w->m_diagonal != NULL && w->row_sum != NULL && w->c != NULL && w->d != NULL &&
         w->l != NULL;
}

static void workspace_clear(workspace *w) {
  free(w->g_diagonal);
  free(w->m_diagonal);
  free(w->row_sum);
  free(w->c);
  free(w->d);
  free(w->l);
}

/* The largest row sum rounded up; +inf when one is not a number. */
static double largest_row_sum(const workspace *w) {
  double largest = 0.0;
  for (int i = 0; i < w->n; i++) {
    if (!isfinite(w->row_sum[i])) return INFINITY;
    largest = fmax(largest, w->row_sum[i]);
  }
  return round_up_nonnegative(largest, w->n);
}

/* ||G||_inf rounded up: a bound that needs no factorisation. */
static double absolute_row_sum(const workspace *w) {
  for (int i = 0; i < w->n; i++) w->row_sum[i] = fabs(w->g_diagonal[i]);
  for (int i = 0; i < w->n; i++) {
    for (int j = i + 1; j < w->n; j++) {
      const double x = fabs(*entry(w, i, j));
      w->row_sum[i] += x;
      w->row_sum[j] += x;
    }
  }
  return largest_row_sum(w);
}

/* Lower triangle := M = tau2 I - G (its diagonal rounded), then L where LAPACK succeeds. */
static bool propose_factor(workspace *w, double tau2) {
  for (int i = 0; i < w->n; i++) {
    for (int j = 0; j < i; j++) *entry(w, i, j) = -*entry(w, j, i);
    *entry(w, i, i) = w->m_diagonal[i] = tau2 - w->g_diagonal[i];
  }
  /* A row-major lower triangle is a column-major upper one: U^T U = L L^T. */
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', w->n, w->a, w->n) == 0;
}

/* c := M's tile with first row i0 and first column j0 <= i0. */
static void load_tile(const workspace *w, int i0, int rows, int j0, int cols) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      const int row = i0 + i, col = j0 + j;
      w->c[i * w->tile + j] = row == col ? w->m_diagonal[row] : row > col ? -*entry(w, col, row) : -*entry(w, row, col);
    }
  }
}

/* l := the diagonal block of L at j0, zeros above its diagonal. */
static void load_diagonal_block(const workspace *w, int j0, int size) {
  for (int i = 0; i < size; i++) {
    memcpy(w->l + i * w->tile, entry(w, j0 + i, j0), sizeof(double) * (size_t)(i + 1));
    memset(w->l + i * w->tile + i + 1, 0, sizeof(double) * (size_t)(size - i - 1));
  }
}

/* c := c - A B^T with one rounding a chunk beyond those of the product. */
static void subtract_product(const workspace *w, int rows, int cols, int inner, const double *a, int lda,
                             const double *b, int ldb) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, cols, inner, 1.0, a, lda, b, ldb, 0.0, w->d, w->tile);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) w->c[i * w->tile + j] -= w->d[i * w->tile + j];
  }
}

/* Adds the row sums of |R~| over the lower triangle of the tile at (i0, j0) and over its mirror image. */
static void residual_tile(const workspace *w, int i0, int rows, int j0, int cols) {
  load_tile(w, i0, rows, j0, cols);
  for (int k0 = 0; k0 < j0; k0 += CHUNK)
    subtract_product(w, rows, cols, CHUNK, entry(w, i0, k0), w->n, entry(w, j0, k0), w->n);
  load_diagonal_block(w, j0, cols);
  if (i0 == j0)
    subtract_product(w, rows, cols, cols, w->l, w->tile, w->l, w->tile);
  else
    subtract_product(w, rows, cols, cols, entry(w, i0, j0), w->n, w->l, w->tile);
  for (int i = 0; i < rows; i++) {
    /* R is symmetric, so its upper triangle is not looked at: the row sums are those of the lower one, mirrored. */
    for (int j = 0; j < cols && j0 + j <= i0 + i; j++) {
      const double x = fabs(w->c[i * w->tile + j]);
      w->row_sum[i0 + i] += x;
      if (j0 + j < i0 + i) w->row_sum[j0 + j] += x;
    }
  }
}

/* ||R~||_inf rounded up; +inf when an entry is not a number. */
static double residual_row_sum(const workspace *w, const attcert_options *options) {
  memset(w->row_sum, 0, sizeof(double) * (size_t)w->n);
  for (int i0 = 0; i0 < w->n; i0 += CHUNK) {
    const int rows = w->n - i0 < CHUNK ? w->n - i0 : CHUNK;
    for (int j0 = 0; j0 <= i0; j0 += CHUNK) residual_tile(w, i0, rows, j0, w->n - j0 < CHUNK ? w->n - j0 : CHUNK);
    if (options != NULL && options->progress != NULL) {
      const double part = (double)(i0 + rows) / (double)w->n;
      options->progress(options->progress_context, "residual of the factorisation", part * part);
    }
  }
  return largest_row_sum(w);
}

/* y = |L| x or |L|^T x; at most n + 1 roundings an entry. */
static void apply_absolute_factor(const void *context, double *y, const double *x, bool transpose) {
  const workspace *const w = context;
  if (transpose) memset(y, 0, sizeof(double) * (size_t)w->n);
  for (int i = 0; i < w->n; i++) {
    const double *const row = entry(w, i, 0);
    double sum = 0.0;
    if (transpose)
      for (int j = 0; j <= i; j++) y[j] += fabs(row[j]) * x[i];
    else
      for (int j = 0; j <= i; j++) sum += fabs(row[j]) * x[j];
    if (!transpose) y[i] = sum;
  }
}

/* tau2 + ||R||_2, every term of the header's formula, summed upward. */
static attcert_status certified_bound(mpfr_t upper, const workspace *w, double tau2, const attcert_options *options,
                                      attcert_error *err) {
  const linear_operator factor = {w->n, w->n, apply_absolute_factor, w};
  double factor_norm;
  const attcert_status status = nonnegative_norm_squared(&factor_norm, &factor, w->n + 1.0, err);
  if (status != ATTCERT_OK) return status;
  double diagonal = 0.0; /* m_ii = fl(tau2 - g_ii) */
  for (int i = 0; i < w->n; i++) diagonal = fmax(diagonal, fabs(w->m_diagonal[i]));
  const double chunks = ceil((double)w->n / CHUNK), chunk = w->tile;
  const double residual = residual_row_sum(w, options);
  const double underflow = (double)w->n * (double)w->n * 0x1p-1073; /* n products, each 2^-1074, in n columns */
  double terms[] = {residual, gamma_upper(chunks) * residual, gamma_upper(chunk + chunks) * factor_norm,
                    UNIT_ROUNDOFF * diagonal, underflow};
  const size_t count = sizeof terms / sizeof terms[0];
  for (size_t i = 0; i < count; i++) terms[i] = round_up_nonnegative(terms[i], 1.0);
  mpfr_set_d(upper, tau2, MPFR_RNDU);
  add_doubles_upward(upper, terms, count);
  return ATTCERT_OK;
}

attcert_status largest_eigenvalue_upper(mpfr_t upper, double *g, int n, double guess, const attcert_options *options,
                                        attcert_error *err) {
  workspace w;
  mpfr_set_inf(upper, 1);
  if (!workspace_init(&w, g, n)) {
    workspace_clear(&w);
    return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: factorising a matrix of side %d", n);
  }
  for (int i = 0; i < n; i++) w.g_diagonal[i] = *entry(&w, i, i);
  const double row_sum = absolute_row_sum(&w);
  mpfr_set_d(upper, row_sum, MPFR_RNDU);
  attcert_status status = ATTCERT_OK;
  /* Cholesky of a nearly singular M succeeds when its least eigenvalue exceeds some n u tau2. */
  double slack = 1e-12 * fmax(1.0, (double)n / 1024.0);
  for (int attempt = 0; attempt < ATTEMPTS && guess > 0.0; attempt++, slack *= 16.0) {
    const double tau2 = guess * (1.0 + slack);
    if (!(tau2 < row_sum)) break;
    if (!propose_factor(&w, tau2)) continue;
    mpfr_t bound;
    mpfr_init2(bound, mpfr_get_prec(upper));
    status = certified_bound(bound, &w, tau2, options, err);
    if (status == ATTCERT_OK) mpfr_min(upper, upper, bound, MPFR_RNDU);
    mpfr_clear(bound);
    break;
  }
  workspace_clear(&w);
  return status;
}
