#include "linalg/rounding/frobenius_norm.h"

#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <math.h>

double frobenius_norm_of_sum(double sum, double m, double count) {
  return round_up_nonnegative(sqrt(round_up_nonnegative(sum + count * UNDERFLOW_UNIT, m)), 1.0);
}

double frobenius_norm_upper(const double *a, size_t count, size_t cols) {
  double sum = 0.0;
  for (size_t i = 0; i < count; i += cols) sum += cblas_ddot((int)cols, a + i, 1, a + i, 1);
  return frobenius_norm_of_sum(sum, (double)cols + (double)(count / cols), (double)count);
}
