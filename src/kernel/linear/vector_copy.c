#include "kernel/linear/vector.h"

void vector_copy(double *out, const double *a, int n) {
  /*@ loop invariant range: 0 <= t <= n;
      loop invariant done: \forall integer q; 0 <= q < t ==> out[q] == \at(a[q], Pre);
      loop assigns t, out[0 .. n - 1];
      loop variant n - t; */
  for (int t = 0; t < n; t++) out[t] = a[t];
}
