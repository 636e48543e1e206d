#include "kernel/index.h"
#include "kernel/matrix.h"

void affine_rows(double *out, const double *w, const double *b, const double *x, int n, int rows, int cols) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: \forall integer q, r; 0 <= q < i ==> 0 <= r < rows ==>
                           out[row(q, rows) + r] == affine{Pre}(w, b, x + row(q, cols), cols, r);
      loop assigns i, out[0 .. row(n, rows) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) affine_map(out + row_offset(i, rows, n), w, b, x + row_offset(i, cols, n), rows, cols);
}
