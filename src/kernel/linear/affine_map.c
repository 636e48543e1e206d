#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"

#include <stddef.h>

void affine_map(double *out, const double *w, const double *b, const double *x, int rows, int cols) {
  /*@ loop invariant range: 0 <= i <= rows;
      loop invariant done: \forall integer q; 0 <= q < i ==> out[q] == affine{Pre}(w, b, x, cols, q);
      loop assigns i, out[0 .. rows - 1];
      loop variant rows - i; */
  for (int i = 0; i < rows; i++) {
    const double product = vector_dot(w + row_offset(i, cols, rows), x, cols);
    const double bias = b != NULL ? b[i] : 0.0;
    //@ assert product: product == mat_vec{Pre}(w, x, cols, \at(i, Here));
    //@ assert bias: bias == bias_entry{Pre}(b, \at(i, Here));
    out[i] = bias + product;
  }
}
