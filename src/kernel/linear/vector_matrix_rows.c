#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"

void vector_matrix_rows(double *out, const double *a, const double *m, int n, int rows, int cols) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: \forall integer q, j; 0 <= q < i ==> 0 <= j < cols ==>
                           out[row(q, cols) + j] == vec_mat{Pre}(a + row(q, rows), m, cols, j, rows);
      loop assigns i, out[0 .. row(n, cols) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, cols) && row(q, cols) + cols <= row(i, cols);
    //@ ghost Before:;
    vector_matrix(out + row_offset(i, cols, n), a + row_offset(i, rows, n), m, rows, cols);
    /*@ assert inside: \forall integer t, j; 0 <= t < rows ==> 0 <= j < cols ==>
                       0 <= row(t, cols) + j < row(rows, cols); */
    /*@ assert operands: \forall integer j; 0 <= j < cols ==>
          vec_mat{Before}(a + row(i, rows), m, cols, j, rows) == vec_mat{Pre}(a + row(i, rows), m, cols, j, rows); */
    /*@ assert current: \forall integer j; 0 <= j < cols ==>
                        out[row(i, cols) + j] == vec_mat{Pre}(a + row(i, rows), m, cols, j, rows); */
    /*@ assert kept: \forall integer q, j; 0 <= q < i ==> 0 <= j < cols ==>
                     out[row(q, cols) + j] == \at(out[row(q, cols) + j], Before); */
    /*@ assert finished: \forall integer q, j; 0 <= q < i ==> 0 <= j < cols ==>
                         out[row(q, cols) + j] == vec_mat{Pre}(a + row(q, rows), m, cols, j, rows); */
  }
}
