/* Products A B of N x N operands with these patterns:
 *   integers    small ones, so that every partial sum is exact: an entry left out, twice or in the wrong place
 *   roundings   two entries a row, s (1, e), against (1, f): s (1 + e f), rounded once in any order of summation and
 *               with or without FMA, which is s where |e f| = 2^-54 (half a unit in the last place or the tie below 1,
 *               whose even neighbour is 1) and exact otherwise: any other rounding, and float
 *   the rest    products that are subnormal, and of subnormals: flushing to zero
 * Zeros in between change nothing. */
#include "linalg/blas/blas_probe.h"

#include "base/arrays.h"
#include "linalg/blas/blas_threads.h"

#include <cblas.h>
#include <math.h>
#include <stdatomic.h>

/* BLAS divides a product of n^3 > 2^18 among threads (OpenBLAS: n^3 > 2^18 for gemm, n^2 > 9,216 for gemv). */
enum { N = 100 };

typedef struct {
  const char *name;
  double (*left)(int i, int k), (*right)(int k, int j); /* entries of A and B */
  double (*product)(int i, int j);                      /* of A B, rounded to nearest */
  double (*square)(int i, int j);                       /* of A A^T, where it is probed */
} pattern;

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

/* N is a multiple of 20, so that k % 5 - 2 adds up to 0 over k, times k % 4 too, k % 4 to 3 N / 2 and (k % 5 - 2)^2 to
 * 2 N. */
static double integer_left(int i, int k) {
  return i % 17 - 8 + k % 5 - 2;
}

static double integer_right(int k, int j) {
  return (j % 13 - 6) * (k % 4);
}

static double integer_product(int i, int j) {
  return 1.5 * N * (i % 17 - 8) * (j % 13 - 6);
}

static double integer_square(int i, int j) { /* of A A^T */
  return N * (i % 17 - 8) * (j % 17 - 8) + 2 * N;
}

static double sign(int i) {
  return i % 3 == 0 ? -1.0 : 1.0;
}

/* 2^-20 or 2^-27, of either sign. */
static double epsilon(int i) {
  return (i % 2 == 0 ? 0x1p-27 : 0x1p-20) * (i % 4 < 2 ? 1.0 : -1.0);
}

/* Columns 0 and N - 1, so that blocks of the inner dimension are met. */
static double rounding_left(int i, int k) {
  return k == 0 ? sign(i) : k == N - 1 ? sign(i) * epsilon(i) : 0.0;
}

static double rounding_right(int k, int j) {
  return k == 0 ? 1.0 : k == N - 1 ? epsilon(j) : 0.0;
}

/* 1 + e_i f_j, f = e. */
static double rounded(int i, int j) {
  const double small = epsilon(i) * epsilon(j);
  return fabs(small) > 0x1p-52 ? 1.0 + small : 1.0;
}

static double rounding_product(int i, int j) {
  return sign(i) * rounded(i, j);
}

static double rounding_square(int i, int j) {
  return sign(i) * sign(j) * rounded(i, j);
}

static double subnormal_left(int i, int k) {
  return k == i % N ? ldexp(i + 1.0, -530) : 0.0;
}

static double subnormal_right(int k, int j) {
  return ldexp((k + j) % 7 + 1.0, -530);
}

static double subnormal_product(int i, int j) {
  return ldexp((i + 1.0) * ((i + j) % 7 + 1.0), -1060);
}

static double denormal_left(int i, int k) {
  return k == i % N ? ldexp(i + 1.0, -1070) : 0.0;
}

static double denormal_right(int k, int j) {
  return ldexp((k + j) % 7 + 1.0, 100);
}

static double denormal_product(int i, int j) {
  return ldexp((i + 1.0) * ((i + j) % 7 + 1.0), -970);
}

static const pattern patterns[] = {
    {"integers", integer_left, integer_right, integer_product, integer_square},
    {"rounded numbers", rounding_left, rounding_right, rounding_product, rounding_square},
    {"products below the normal range", subnormal_left, subnormal_right, subnormal_product, NULL},
    {"numbers below the normal range", denormal_left, denormal_right, denormal_product, NULL},
};

/* ---- routines ---------------------------------------------------------------------------------------------------- */

typedef struct {
  double *a, *b, *c, *expected; /* [N, N] */
  double *line;                 /* [N] */
  attcert_error *err;
} probe;

static attcert_status wrong(const probe *p, const char *routine, const char *what) {
  return attcert_fail(p->err, ATTCERT_FAULT,
                      "BLAS: %s of %s gives a wrong result, expected doubles, each operation rounded once to nearest",
                      routine, what);
}

static void fill(double *to, double entry(int, int)) {
  for (int i = 0; i < N * N; i++) to[i] = entry(i / N, i % N);
}

/* Whether x, N entries with a stride, is row or column i of what is expected. */
static bool is_line(const double *x, const double *expected, int stride) {
  for (int k = 0; k < N; k++) {
    if (x[k] != expected[k * stride]) return false;
  }
  return true;
}

static attcert_status probe_products(const probe *p, const pattern *of) {
  fill(p->a, of->left);
  fill(p->b, of->right);
  fill(p->expected, of->product);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1.0, p->a, N, p->b, N, 0.0, p->c, N);
  for (int i = 0; i < N; i++) {
    if (!is_line(p->c + i * N, p->expected + i * N, 1)) return wrong(p, "dgemm", of->name);
  }
  for (int i = 0; i < N; i += N - 1) { /* row i of A B by the transposed B, then column i */
    cblas_dgemv(CblasRowMajor, CblasTrans, N, N, 1.0, p->b, N, p->a + i * N, 1, 0.0, p->line, 1);
    if (!is_line(p->line, p->expected + i * N, 1)) return wrong(p, "dgemv", of->name);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1.0, p->a, N, p->b + i, N, 0.0, p->line, 1);
    if (!is_line(p->line, p->expected + i, N)) return wrong(p, "dgemv", of->name);
    for (int j = 0; j < N; j++) p->line[j] = cblas_ddot(N, p->a + i * N, 1, p->b + j, N);
    if (!is_line(p->line, p->expected + i * N, 1)) return wrong(p, "ddot", of->name);
  }
  return ATTCERT_OK;
}

static double identity(int i, int j) {
  return i == j ? 1.0 : 0.0;
}

/* The upper triangle of A A^T, then that symmetric matrix times the identity. */
static attcert_status probe_symmetric(const probe *p, const pattern *of) {
  fill(p->a, of->left);
  fill(p->b, identity);
  fill(p->expected, of->square);
  cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, N, N, 1.0, p->a, N, 0.0, p->c, N);
  for (int i = 0; i < N; i++) {
    for (int j = i; j < N; j++) {
      if (p->c[i * N + j] != p->expected[i * N + j]) return wrong(p, "dsyrk", of->name);
    }
  }
  cblas_dsymm(CblasRowMajor, CblasLeft, CblasUpper, N, N, 1.0, p->c, N, p->b, N, 0.0, p->a, N);
  for (int i = 0; i < N; i++) {
    if (!is_line(p->a + i * N, p->expected + i * N, 1)) return wrong(p, "dsymm", of->name);
  }
  return ATTCERT_OK;
}

/* L with ones on the diagonal, and below it in the column before, or e in column 0. */
static double bidiagonal(int i, int k) {
  return k == i || k == i - 1 ? 1.0 : 0.0;
}

static double bordered(int i, int k) {
  return k == i ? 1.0 : k == 0 ? -epsilon(i) : 0.0;
}

/* X L^T. */
static double bidiagonal_right_side(int i, int k) {
  return integer_right(i, k) + (k > 0 ? integer_right(i, k - 1) : 0.0);
}

static double bordered_right_side(int i, int k) {
  return k == 0 ? epsilon(i) : 1.0;
}

static double bordered_solution(int i, int k) {
  return k == 0 ? epsilon(i) : rounded(i, k);
}

/* X L^T = B: X of integers, then X_ik = 1 + e_i e_k rounded. */
static attcert_status probe_solve(const probe *p) {
  const struct {
    double (*factor)(int i, int k), (*right_side)(int i, int k), (*solution)(int i, int k);
  } of[] = {{bidiagonal, bidiagonal_right_side, integer_right}, {bordered, bordered_right_side, bordered_solution}};
  for (size_t s = 0; s < sizeof of / sizeof of[0]; s++) {
    fill(p->a, of[s].factor);
    fill(p->b, of[s].right_side);
    fill(p->expected, of[s].solution);
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, N, N, 1.0, p->a, N, p->b, N);
    for (int i = 0; i < N; i++) {
      if (!is_line(p->b + i * N, p->expected + i * N, 1)) return wrong(p, "dtrsm", patterns[s].name);
    }
  }
  return ATTCERT_OK;
}

attcert_status blas_probe(attcert_error *err) {
  probe p = {.err = err};
  const array_table table = {
      {ARRAY(p.a, N, N), ARRAY(p.b, N, N), ARRAY(p.c, N, N), ARRAY(p.expected, N, N), ARRAY(p.line, N)}};
  attcert_status status = array_table_allocate(&table, err, "the probe of BLAS");
  for (size_t k = 0; k < sizeof patterns / sizeof patterns[0] && status == ATTCERT_OK; k++) {
    status = probe_products(&p, &patterns[k]);
    if (status == ATTCERT_OK && patterns[k].square != NULL) status = probe_symmetric(&p, &patterns[k]);
  }
  if (status == ATTCERT_OK) status = probe_solve(&p);
  array_table_release(&table);
  return status;
}

attcert_status blas_probe_once(attcert_error *err) {
  static atomic_bool passed;
  attcert_status status = atomic_load(&passed) ? ATTCERT_OK : blas_probe(err);
  if (status != ATTCERT_OK) return status;
  atomic_store(&passed, true);
  return blas_threads_probe_once(err);
}
