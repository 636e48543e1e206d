#include "linalg/norm/symmetric_norm.h"

#include "linalg/rounding/rounding.h"

#include <cblas.h>

enum { SQUARINGS = 6 };

/* Symmetric to the last bit, as the argument asks: the mean of both triangles would be a new rounding. */
static void copy_upper_triangle(double *g, int n) {
  const size_t side = (size_t)n;
  for (size_t i = 0; i < side; i++) {
    for (size_t j = 0; j < i; j++) g[i * side + j] = g[j * side + i];
  }
}

static void scale(double *g, size_t count, int exponent) {
  const double factor = ldexp(1.0, exponent);
  for (size_t i = 0; i < count; i++) g[i] *= factor;
}

double symmetric_norm_upper(double *g, double *scratch, int n) {
  const size_t count = (size_t)n * (size_t)n;
  double rounding[SQUARINGS];
  int exponent[SQUARINGS];
  for (int s = 0; s < SQUARINGS; s++) {
    const double norm = norm_upper(g, count);
    if (!(norm <= 0x1p900)) return INFINITY;
    if (norm < 0x1p-900) return s == 0 ? norm : INFINITY; /* after scaling it is at least n^(-1/2) / 2 */
    frexp(norm, &exponent[s]);
    scale(g, count, -exponent[s]);
    copy_upper_triangle(g, n);
    cblas_dsymm(CblasRowMajor, CblasLeft, CblasUpper, n, n, 1.0, g, n, g, n, 0.0, scratch, n);
    rounding[s] = round_up_nonnegative(gamma_upper(n) * (double)n, 2.0) + UNDERFLOW_ALLOWANCE;
    double *const swap = g;
    g = scratch;
    scratch = swap;
  }
  double bound = norm_upper(g, count);
  for (int s = SQUARINGS - 1; s >= 0; s--)
    bound = ldexp(round_up_nonnegative(sqrt(bound + rounding[s]), 3.0), exponent[s]);
  return bound;
}
