/* Lower bounds of norms, in plain double (rounding.h). */
#ifndef ATTCERT_LINALG_ROUNDING_NORM_LOWER_H
#define ATTCERT_LINALG_ROUNDING_NORM_LOWER_H

#include "linalg/rounding/rounding.h"

/* A double <= the l2 norm of n entries: the computed sum of squares is off by gamma_n of itself at most, what
 * underflows makes it less. */
static inline double norm_lower(const double *x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return fmax(0.0, sqrt(sum) * (1.0 - gamma_upper((double)n + 6.0)));
}

/* A double <= ||A v|| / ||v|| for a matrix of so many rows and columns, from `image`, which is A v to within error
 * ||v||: (||image|| - error ||v||) / ||v||; each operation is off by u of its result. */
static inline double norm_lower_along(const double *image, size_t rows, double error, const double *v, size_t cols) {
  const double quotient = norm_lower(image, rows) / norm_upper(v, cols) * (1.0 - 4.0 * UNIT_ROUNDOFF);
  return fmax(0.0, (quotient - error) * (1.0 - 4.0 * UNIT_ROUNDOFF));
}

#endif
