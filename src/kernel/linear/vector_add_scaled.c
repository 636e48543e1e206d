#include "kernel/linear/vector.h"

void vector_add_scaled(double *out, double w, const double *a, int n) {
  /*@ loop invariant range: 0 <= t <= n;
      loop invariant done: \forall integer q; 0 <= q < t ==> out[q] == \at(out[q], Pre) + prod(w, \at(a[q], Pre));
      loop invariant rest: \forall integer q; t <= q < n ==> out[q] == \at(out[q], Pre);
      loop assigns t, out[0 .. n - 1];
      loop variant n - t; */
  for (int t = 0; t < n; t++) out[t] += w * a[t];
}
