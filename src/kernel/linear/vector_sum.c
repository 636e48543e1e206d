#include "kernel/linear/vector.h"

double vector_sum(const double *a, int n) {
  double s = 0.0;
  /*@ loop invariant range: 0 <= t <= n;
      loop invariant partial: s == sum{Pre}(a, t);
      loop assigns t, s;
      loop variant n - t; */
  for (int t = 0; t < n; t++) s += a[t];
  return s;
}
