#include "linalg/norm/euclidean_norm.h"

#include <math.h>

double euclidean_norm(const double *v, int n) {
  double largest = 0;
  int exponent;
  for (int i = 0; i < n; i++) {
    if (isnan(v[i])) return v[i];
    largest = fmax(largest, fabs(v[i]));
  }
  if (largest == 0 || isinf(largest)) return largest;
  frexp(largest, &exponent);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double scaled = ldexp(v[i], -exponent); /* exact, or below 2^-1022 beside entries of about 1 */
    sum += scaled * scaled;
  }
  return ldexp(sqrt(sum), exponent);
}

bool euclidean_normalize(double *v, int n) {
  const double norm = euclidean_norm(v, n);
  if (!(norm > 0.0) || !isfinite(norm)) return false;
  for (int i = 0; i < n; i++) v[i] /= norm;
  return true;
}
