#include "linalg/operator/dense_matrix.h"

#include <cblas.h>

static void apply_matrix(const void *context, double *y, const double *x, bool transpose) {
  const dense_matrix *const a = context;
  cblas_dgemv(CblasRowMajor, transpose ? CblasTrans : CblasNoTrans, a->rows, a->cols, 1.0, a->data, a->cols, x, 1, 0.0,
              y, 1);
}

linear_operator dense_matrix_operator(const dense_matrix *a) {
  return (linear_operator){a->rows, a->cols, apply_matrix, a};
}
