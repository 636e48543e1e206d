#include "kernel/linear/vector.h"

double vector_dot(const double *a, const double *b, int n) {
  double s = 0.0;
  /*@ loop invariant range: 0 <= t <= n;
      loop invariant partial: s == dot{Pre}(a, b, t);
      loop assigns t, s;
      loop variant n - t; */
  for (int t = 0; t < n; t++) s += a[t] * b[t];
  return s;
}
