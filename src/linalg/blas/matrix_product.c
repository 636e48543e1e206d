#include "linalg/blas/matrix_product.h"

#include <cblas.h>

void matrix_multiply_transposed(double *c, const double *a, const double *b, int rows, int cols, int inner) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, cols, inner, 1.0, a, inner, b, inner, 0.0, c, cols);
}
