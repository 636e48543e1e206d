#include "kernel/matrix.h"
#include "kernel/vector.h"

void vector_matrix(double *out, const double *a, const double *m, int rows, int cols) {
  vector_zero(out, cols);
  vector_matrix_add(out, a, m, rows, cols);
}
