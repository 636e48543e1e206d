/* A B with rows of A of four kinds, in turn, so that whatever rows a thread computes hold all of them:
 *   (s, e, 0, 0, ...) against (1, f): s (1 + e f), s, e and f of both signs, |e f| = 2^-54: s when rounded to nearest
 *   a product below the normal range, a subnormal entry of A, one of B
 * OpenBLAS gives a thread at least 2^18 multiplications and, of a matrix that is so much longer than wide, rows; below
 * 10^6 in all it may use one thread. */
#include "linalg/blas/blas_threads.h"

#include "base/arrays.h"

#include <cblas.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SIDE = 128, ROWS_OF_A_THREAD = 96, KINDS = 4 };

static double sign(int i) {
  return i % 2 == 0 ? 1.0 : -1.0;
}

static double left(int i, int k) {
  static const double underflows = 0x1p-530, subnormal = 0x1p-1070, large = 0x1p+100;
  const int kind = i % KINDS;
  if (kind == 0) return k == 0 ? sign(i / KINDS) : k == 1 ? sign(i / (2 * KINDS)) * 0x1p-27 : 0.0;
  if (k != kind + 1) return 0.0;
  return kind == 1 ? underflows : kind == 2 ? subnormal : large;
}

static double right(int k, int j) {
  static const double rows[] = {1.0, 0x1p-27, 0x1p-530, 0x1p+100, 0x1p-1070};
  if (k >= (int)(sizeof rows / sizeof rows[0])) return 0.0;
  return k == 1 ? sign(j) * rows[k] : rows[k];
}

static double product(int i) {
  static const double of_kind[KINDS] = {1.0, 0x1p-1060, 0x1p-970, 0x1p-970};
  return i % KINDS == 0 ? sign(i / KINDS) : of_kind[i % KINDS];
}

static bool multiplies(double *a, double *b, double *c, int rows) {
  for (int i = 0; i < rows * SIDE; i++) a[i] = left(i / SIDE, i % SIDE);
  for (int k = 0; k < SIDE * SIDE; k++) b[k] = right(k / SIDE, k % SIDE);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, SIDE, SIDE, 1.0, a, SIDE, b, SIDE, 0.0, c, SIDE);
  for (int i = 0; i < rows * SIDE; i++) {
    if (c[i] != product(i / SIDE)) return false;
  }
  return true;
}

attcert_status blas_threads_probe(int threads, attcert_error *err) {
  enum { MOST = 4096 };
  const int rows = ROWS_OF_A_THREAD * (threads < 1 ? 1 : threads > MOST ? MOST : threads);
  double *a = NULL, *b = NULL, *c = NULL;
  const array_table table = {{ARRAY(a, (size_t)rows, SIDE), ARRAY(b, SIDE, SIDE), ARRAY(c, (size_t)rows, SIDE)}};
  attcert_status status = array_table_allocate(&table, err, "the probe of BLAS's threads");
  if (status == ATTCERT_OK && !multiplies(a, b, c, rows))
    status = attcert_fail(err, ATTCERT_FAULT,
                          "BLAS: a thread of its own computes otherwise than the one that calls: expected doubles, "
                          "rounded to nearest with subnormals; it was started in another floating-point environment "
                          "(OPENBLAS_NUM_THREADS=1: none is)");
  array_table_release(&table);
  return status;
}

static atomic_int probed; /* as many threads, since the last fork */

static void forget(void) {
  atomic_store(&probed, 0);
}

static void watch_forks(void) {
  pthread_atfork(forget, NULL, NULL);
}

attcert_status blas_threads_probe_once(attcert_error *err) {
  static pthread_once_t watched = PTHREAD_ONCE_INIT;
  const int threads = openblas_get_num_threads();
  pthread_once(&watched, watch_forks);
  if (openblas_get_parallel() == OPENBLAS_SEQUENTIAL || threads <= 1) return ATTCERT_OK;
  if (openblas_get_parallel() == OPENBLAS_THREAD && threads <= atomic_load(&probed)) return ATTCERT_OK;
  const attcert_status status = blas_threads_probe(threads, err);
  if (status == ATTCERT_OK) atomic_store(&probed, threads);
  return status;
}
