#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"

void rank_one_add(double *m, const double *a, const double *b, int rows, int cols) {
  /*@ loop invariant range: 0 <= i <= rows;
      loop invariant done: \forall integer q, j; 0 <= q < i ==> 0 <= j < cols ==>
        m[row(q, cols) + j] == \at(m[row(q, cols) + j], Pre) + prod(\at(a[q], Pre), \at(b[j], Pre));
      loop invariant rest: \forall integer e; row(i, cols) <= e < row(rows, cols) ==> m[e] == \at(m[e], Pre);
      loop assigns i, m[0 .. row(rows, cols) - 1];
      loop variant rows - i; */
  for (int i = 0; i < rows; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, cols) && row(q, cols) + cols <= row(i, cols);
    //@ assert same: a[i] == \at(a[\at(i, Here)], Pre);
    //@ ghost Before:;
    vector_add_scaled(m + row_offset(i, cols, rows), a[i], b, cols);
    /*@ assert kept: \forall integer q, j; 0 <= q < i ==> 0 <= j < cols ==>
                     m[row(q, cols) + j] == \at(m[row(q, cols) + j], Before); */
  }
}
