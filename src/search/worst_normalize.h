/* Unit vectors. */
#ifndef ATTCERT_WORST_NORMALIZE_H
#define ATTCERT_WORST_NORMALIZE_H

#include "linalg/euclidean_norm.h"

#include <math.h>
#include <stdbool.h>

/* v := v / ||v||_2, n entries. False, and v as it was, when its norm is 0 or no finite number. Divides entry by entry: 1 / ||v||
 * overflows for denormal numbers. */
static inline bool worst_normalize(double *v, int n) {
  const double norm = euclidean_norm(v, n);
  if (!(norm > 0.0) || !isfinite(norm)) return false;
  for (int i = 0; i < n; i++) v[i] /= norm;
  return true;
}

#endif
