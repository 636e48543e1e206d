/* C is a Cholesky factor in double. With n_k = ||f_k||, h_k = |q_k| n_k^2, p the columns and m of the squares:
 *
 * - the inner products g_kl are off by gamma_{p + 2} n_k n_l, their squares by 3 gamma_{p + 2} (n_k n_l)^2, and
 *   q_k q_l g_kl^2 takes three roundings: the computed H is off by gamma_{3 p + 12} h_k h_l, in norm by that times
 *   T = sum_k h_k^2;
 * - the factor of B = H + t, whose diagonal rounds once, has C C^T = B + E, |E_kl| <= gamma' (B_kk B_ll)^(1/2) with
 *   gamma' = gamma_{m + 2} / (1 - gamma_{m + 2}), however sums are ordered, if it is found at all (Higham, Accuracy and
 *   Stability of Numerical Algorithms, 2002, theorem 10.3): ||E|| <= gamma' (T + m t).
 *
 * With gamma = gamma_{3 p + m + 20} and 8 m gamma <= 1 both together are below t = 4 gamma T, T as computed, which is
 * off by less than a quarter. What underflows is below 2^-800 for |q_k| <= 2^100 and T <= 2^300, nothing beside t where
 * T >= 2^-600. */
#include "robust/operation/operation_squares.h"

#include "linalg/rounding/upward.h"

#include <cblas.h>

double operation_squares_size(const operation_squares *of) {
  double sum = 0.0;
  for (int k = 0; k < of->count; k++) {
    const double *const f = of->linear + (size_t)k * (size_t)of->columns;
    const double size = of->square[k] * cblas_ddot(of->columns, f, 1, f, 1);
    sum += size * size;
  }
  return sqrt(sum);
}

/* h (count x count) := H as computed, its diagonal enlarged; whether it is of a size that the bounds above cover. */
static bool fill(double *h, const operation_squares *of) {
  const size_t m = (size_t)of->count;
  double trace = 0.0;
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, of->count, of->columns, 1.0, of->linear, of->columns, 0.0, h,
              of->count);
  for (size_t k = 0; k < m; k++)
    for (size_t l = 0; l <= k; l++) h[k * m + l] *= h[k * m + l] * of->square[k] * of->square[l];
  for (size_t k = 0; k < m; k++) trace += fabs(of->square[k]) <= 0x1p100 ? h[k * m + k] : INFINITY;
  const double gamma = gamma_upper(3.0 * of->columns + of->count + 20.0);
  if (!(trace >= 0x1p-600 && trace <= 0x1p300 && 8.0 * of->count * gamma <= 1.0)) return false;
  for (size_t k = 0; k < m; k++) h[k * m + k] += 4.0 * gamma * trace;
  return true;
}

/* The lower triangle becomes that of its factor; false: a pivot is not positive. */
static bool factor(double *h, int count) {
  const size_t m = (size_t)count;
  for (size_t k = 0; k < m; k++) {
    double *const row = h + k * m;
    for (size_t l = 0; l < k; l++) row[l] = (row[l] - cblas_ddot((int)l, row, 1, h + l * m, 1)) / h[l * m + l];
    const double pivot = row[k] - cblas_ddot((int)k, row, 1, row, 1);
    if (!(pivot > 0.0)) return false;
    row[k] = sqrt(pivot);
  }
  return true;
}

bool operation_squares_factor(double *c, const operation_squares *of) {
  return fill(c, of) && factor(c, of->count);
}
