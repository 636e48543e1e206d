/* The floor of every dense certificate: one Cholesky factorisation, N^3 / 3 flops, at the rate of a matrix product. */
#include "peers.h"

#include "base/uniform.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

attcert_status gemm_rate(measurement *result, int side, attcert_error *err) {
  const size_t count = (size_t)side * (size_t)side;
  double *const a = malloc(3 * count * sizeof(double));
  double best = INFINITY;
  if (a == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: three matrices of side %d", side);
  double *const b = a + count, *const c = b + count;
  for (size_t i = 0; i < 3 * count; i++) a[i] = uniform_entry(i);
  while (measurement_due(result)) {
    measurement_start(result);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1.0, a, side, b, side, 0.0, c, side);
    measurement_stop(result);
    best = fmin(best, result->seconds[result->runs - 1]);
  }
  result->flops_a_second = 2.0 * side * side * side / best;
  free(a);
  return ATTCERT_OK;
}
