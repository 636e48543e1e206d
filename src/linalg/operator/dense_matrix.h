/* A dense row-major double matrix as an operator. */
#ifndef ATTCERT_LINALG_OPERATOR_DENSE_MATRIX_H
#define ATTCERT_LINALG_OPERATOR_DENSE_MATRIX_H

#include "linalg/operator/linear_operator.h"

typedef struct {
  const double *data;
  int rows, cols;
} dense_matrix;

/* a must outlive the operator. */
linear_operator dense_matrix_operator(const dense_matrix *a);

#endif
