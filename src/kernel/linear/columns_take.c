#include "kernel/linear/columns.h"
#include "kernel/linear/index.h"
#include "kernel/linear/vector.h"

void columns_take(double *a, const double *m, int width, int first, int n, int k) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
                           a[row(q, k) + r] == \at(m[row(q, width) + (first + r)], Pre);
      loop assigns i, a[0 .. row(n, k) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, k) && row(q, k) + k <= row(i, k);
    //@ ghost Before:;
    vector_copy(a + row_offset(i, k, n), m + (row_offset(i, width, n) + first), k);
    /*@ assert current: \forall integer r; 0 <= r < k ==>
                        a[row(i, k) + r] == \at(m[row(\at(i, Here), width) + (first + r)], Pre); */
    /*@ assert earlier: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
                        a[row(q, k) + r] == \at(a[row(q, k) + r], Before); */
  }
}
