/* A BLAS that is wrong, to be preloaded: WRONG_BLAS=ROUTINE:KIND, where KIND is
 *   off     results are larger by a part of 1e-10
 *   float   results have the precision of a float
 *   other   results of other than 100 rows, those of the probe, are smaller by a part of 1e-4
 * Everything else is left to the real library. */
#define _GNU_SOURCE
#include <cblas.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x, an entry of a result of so many rows. */
static double wrong(double x, int rows, const char *routine) {
  const char *const setting = getenv("WRONG_BLAS");
  const size_t length = strlen(routine);
  if (setting == NULL || strncmp(setting, routine, length) != 0 || setting[length] != ':') return x;
  if (strcmp(setting + length + 1, "float") == 0) return (double)(float)x;
  if (strcmp(setting + length + 1, "other") == 0) return rows != 100 ? x * (1.0 - 1e-4) : x;
  return x * (1.0 + 1e-10);
}

static void spoil(double *x, int rows, int cols, int stride, const char *routine) {
  const size_t count = (size_t)rows * (size_t)cols;
  for (size_t k = 0; k < count; k++) {
    double *const entry = x + k / (size_t)cols * (size_t)stride + k % (size_t)cols;
    *entry = wrong(*entry, rows, routine);
  }
}

/* A pointer to the real function; memcpy, as ISO C has no conversion from an object pointer. */
static void find(void *function, size_t size, const char *name) {
  void *const symbol = dlsym(RTLD_NEXT, name);
  if (symbol == NULL) {
    fprintf(stderr, "wrong_blas: no %s\n", name);
    abort();
  }
  memcpy(function, &symbol, size);
}
#define FIND(function, name) find(&(function), sizeof(function), name)

void cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k,
                 double alpha, const double *a, blasint lda, const double *b, blasint ldb, double beta, double *c,
                 blasint ldc) {
  __typeof__(&cblas_dgemm) real;
  FIND(real, "cblas_dgemm");
  real(layout, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  spoil(c, m, n, ldc, "dgemm");
}

void cblas_dgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE t, blasint m, blasint n, double alpha, const double *a,
                 blasint lda, const double *x, blasint incx, double beta, double *y, blasint incy) {
  __typeof__(&cblas_dgemv) real;
  FIND(real, "cblas_dgemv");
  real(layout, t, m, n, alpha, a, lda, x, incx, beta, y, incy);
  spoil(y, t == CblasNoTrans ? m : n, 1, incy, "dgemv");
}

double cblas_ddot(blasint n, const double *x, blasint incx, const double *y, blasint incy) {
  __typeof__(&cblas_ddot) real;
  FIND(real, "cblas_ddot");
  return wrong(real(n, x, incx, y, incy), 1, "ddot");
}

void cblas_dsyrk(CBLAS_LAYOUT layout, CBLAS_UPLO uplo, CBLAS_TRANSPOSE t, blasint n, blasint k, double alpha,
                 const double *a, blasint lda, double beta, double *c, blasint ldc) {
  __typeof__(&cblas_dsyrk) real;
  FIND(real, "cblas_dsyrk");
  real(layout, uplo, t, n, k, alpha, a, lda, beta, c, ldc);
  spoil(c, n, n, ldc, "dsyrk");
}

void cblas_dsymm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, blasint m, blasint n, double alpha,
                 const double *a, blasint lda, const double *b, blasint ldb, double beta, double *c, blasint ldc) {
  __typeof__(&cblas_dsymm) real;
  FIND(real, "cblas_dsymm");
  real(layout, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
  spoil(c, m, n, ldc, "dsymm");
}

void cblas_dtrsm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE t, CBLAS_DIAG diag, blasint m,
                 blasint n, double alpha, const double *a, blasint lda, double *b, blasint ldb) {
  __typeof__(&cblas_dtrsm) real;
  FIND(real, "cblas_dtrsm");
  real(layout, side, uplo, t, diag, m, n, alpha, a, lda, b, ldb);
  spoil(b, m, n, ldb, "dtrsm");
}
