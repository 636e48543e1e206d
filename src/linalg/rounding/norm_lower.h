/* A lower bound of a norm, in plain double (rounding.h). */
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

#endif
