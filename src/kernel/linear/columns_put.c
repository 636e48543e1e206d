#include "kernel/linear/columns.h"
#include "kernel/linear/index.h"

/* Entries first .. first + k - 1 of the row become a. */
/*@ requires sides: side(k) && side(first);
    requires valid: \valid(entries + (first .. first + k - 1)) && \valid_read(a + (0 .. k - 1));
    requires separated: \separated(entries + (first .. first + k - 1), a + (0 .. k - 1));
    terminates \true;
    assigns entries[first .. first + k - 1];
    ensures result: \forall integer e; first <= e < first + k ==> entries[e] == \at(a[e - first], Pre); */
static void put(double *entries, int first, const double *a, int k) {
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant done: \forall integer e; first <= e < first + r ==> entries[e] == \at(a[e - first], Pre);
      loop assigns r, entries[first .. first + k - 1];
      loop variant k - r; */
  for (int r = 0; r < k; r++) entries[first + r] = a[r];
}

void columns_put(double *m, int width, int first, const double *a, int n, int k) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant inside: \forall integer q, e; 0 <= q < i ==> first <= e < first + k ==>
                             m[row(q, width) + e] == \at(a[row(q, k) + (e - first)], Pre);
      loop invariant before: \forall integer q, e; 0 <= q < n ==> 0 <= e < first ==>
                             m[row(q, width) + e] == \at(m[row(q, width) + e], Pre);
      loop invariant after: \forall integer q, e; 0 <= q < n ==> first + k <= e < width ==>
                            m[row(q, width) + e] == \at(m[row(q, width) + e], Pre);
      loop assigns i, m[0 .. row(n, width) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, width) && row(q, width) + width <= row(i, width);
    //@ assert below: \forall integer q; i < q < n ==> row(i, width) + width <= row(q, width);
    //@ ghost Before:;
    put(m + row_offset(i, width, n), first, a + row_offset(i, k, n), k);
    /*@ assert current: \forall integer e; first <= e < first + k ==>
                        m[row(i, width) + e] == \at(a[row(\at(i, Here), k) + (e - first)], Pre); */
    /*@ assert earlier: \forall integer q, e; 0 <= q < i ==> 0 <= e < width ==>
                        m[row(q, width) + e] == \at(m[row(q, width) + e], Before); */
    /*@ assert finished: \forall integer q, e; 0 <= q < i ==> first <= e < first + k ==>
                         m[row(q, width) + e] == \at(a[row(q, k) + (e - first)], Pre); */
    /*@ assert later: \forall integer q, e; i < q < n ==> 0 <= e < width ==>
                      m[row(q, width) + e] == \at(m[row(q, width) + e], Before); */
    /*@ assert left: \forall integer e; 0 <= e < first ==>
                     m[row(i, width) + e] == \at(m[row(i, width) + e], Before); */
    /*@ assert right: \forall integer e; first + k <= e < width ==>
                      m[row(i, width) + e] == \at(m[row(i, width) + e], Before); */
  }
}
