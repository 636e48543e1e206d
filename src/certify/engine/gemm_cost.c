#include "certify/engine/gemm_cost.h"

#include "base/clock.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

double gemm_gram_flops(const attcert_layer *layer, int n) {
  const double side = (double)n * layer->out_dim;
  return 3.0 * side * side * layer->heads * layer->head_dim;
}

/* Flops a second of a 512^3 GEMM, measured where the answer will be worth the milliseconds. */
static double gemm_rate(double side) {
  enum { SIDE = 512, REPEAT = 3, WORTHWHILE = 2048 };
  const size_t count = (size_t)SIDE * SIDE;
  if (side < WORTHWHILE) return 2e10;
  double *const a = calloc(2 * count, sizeof(double));
  if (a == NULL) return 2e10;
  double best = INFINITY;
  for (int i = 0; i < REPEAT; i++) {
    const double start = clock_seconds();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, SIDE, SIDE, SIDE, 1.0, a, SIDE, a, SIDE, 0.0, a + count, SIDE);
    best = fmin(best, clock_seconds() - start);
  }
  free(a);
  return 2.0 * SIDE * SIDE * SIDE / fmax(best, 1e-9);
}

double gemm_seconds(double flops, double side) {
  return flops / gemm_rate(side);
}
