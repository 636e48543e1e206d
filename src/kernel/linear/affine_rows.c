#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"

void affine_rows(double *out, const double *w, const double *b, const double *x, int n, int rows, int cols) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: \forall integer q, r; 0 <= q < i ==> 0 <= r < rows ==>
                           out[row(q, rows) + r] == affine{Pre}(w, b, x + row(q, cols), cols, r);
      loop assigns i, out[0 .. row(n, rows) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, rows) && row(q, rows) + rows <= row(i, rows);
    //@ ghost Before:;
    affine_map(out + row_offset(i, rows, n), w, b, x + row_offset(i, cols, n), rows, cols);
    /*@ assert inside: \forall integer r, t; 0 <= r < rows ==> 0 <= t < cols ==>
                       0 <= row(r, cols) + t < row(rows, cols); */
    /*@ assert product: \forall integer r; 0 <= r < rows ==>
                        mat_vec{Before}(w, x + row(i, cols), cols, r) == mat_vec{Pre}(w, x + row(i, cols), cols, r); */
    /*@ assert bias: \forall integer r; 0 <= r < rows ==> bias_entry{Before}(b, r) == bias_entry{Pre}(b, r); */
    /*@ assert current: \forall integer r; 0 <= r < rows ==>
                        out[row(i, rows) + r] == affine{Pre}(w, b, x + row(i, cols), cols, r); */
    /*@ assert kept: \forall integer q, r; 0 <= q < i ==> 0 <= r < rows ==>
                     out[row(q, rows) + r] == \at(out[row(q, rows) + r], Before); */
  }
}
