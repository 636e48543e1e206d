#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"

void vector_matrix(double *out, const double *a, const double *m, int rows, int cols) {
  vector_zero(out, cols);
  //@ ghost Zeroed:;
  /*@ assert inside: \forall integer t, j; 0 <= t < rows ==> 0 <= j < cols ==>
                     0 <= row(t, cols) + j < row(rows, cols); */
  /*@ assert operands: \forall integer t, j; 0 <= t < rows ==> 0 <= j < cols ==>
                       \at(m[row(t, cols) + j], Zeroed) == \at(m[row(t, cols) + j], Pre); */
  /*@ assert same: \forall integer j; 0 <= j < cols ==>
                   vec_mat{Zeroed}(a, m, cols, j, rows) == vec_mat{Pre}(a, m, cols, j, rows); */
  vector_matrix_add(out, a, m, rows, cols);
}
