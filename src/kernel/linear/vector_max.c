#include "kernel/linear/vector.h"

double vector_max(const double *a, int n) {
  double largest = a[0];
  /*@ loop invariant range: 1 <= t <= n;
      loop invariant bound: \forall integer q; 0 <= q < t ==> a[q] <= largest;
      loop invariant attained: \exists integer q; 0 <= q < t && largest == a[q];
      loop assigns t, largest;
      loop variant n - t; */
  for (int t = 1; t < n; t++)
    if (a[t] > largest) largest = a[t];
  return largest;
}
