#include "certify/engine/gemm_cost.h"

#include "base/clock.h"

#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

double gemm_gram_flops(const attcert_layer *layer, int n) {
  const double side = (double)n * layer->out_dim;
  return 3.0 * side * side * layer->heads * layer->head_dim;
}

#define USUAL_RATE 2e10 /* flops a second */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static double measured_rate = USUAL_RATE;

/* Of a 512^3 GEMM. */
static void measure_rate(void) {
  enum { SIDE = 512, REPEAT = 3 };
  const size_t count = (size_t)SIDE * SIDE;
  double *const a = calloc(2 * count, sizeof(double));
  if (a == NULL) return;
  double best = INFINITY;
  for (int i = 0; i < REPEAT; i++) {
    const double start = clock_seconds();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, SIDE, SIDE, SIDE, 1.0, a, SIDE, a, SIDE, 0.0, a + count, SIDE);
    best = fmin(best, clock_seconds() - start);
  }
  free(a);
  measured_rate = 2.0 * SIDE * SIDE * SIDE / fmax(best, 1e-9);
}

/* Flops a second, measured once a process, where the answer is worth the milliseconds: a plan compares engines, and
 * many inputs have as many plans. */
static double gemm_rate(double side) {
  enum { WORTHWHILE = 2048 };
  if (side < WORTHWHILE) return USUAL_RATE;
  pthread_once(&once, measure_rate);
  return measured_rate;
}

double gemm_seconds(double flops, double side) {
  return flops / gemm_rate(side);
}
