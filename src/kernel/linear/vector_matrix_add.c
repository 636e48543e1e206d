#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"

void vector_matrix_add(double *out, const double *a, const double *m, int rows, int cols) {
  /*@ loop invariant range: 0 <= t <= rows;
      loop invariant partial: \forall integer j; 0 <= j < cols ==>
                              out[j] == \at(out[j], Pre) + vec_mat{Pre}(a, m, cols, j, t);
      loop assigns t, out[0 .. cols - 1];
      loop variant rows - t; */
  for (int t = 0; t < rows; t++) vector_add_scaled(out, a[t], m + row_offset(t, cols, rows), cols);
}
