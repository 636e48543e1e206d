/* A real matrix known by its products with vectors. */
#ifndef ATTCERT_LINALG_OPERATOR_LINEAR_OPERATOR_H
#define ATTCERT_LINALG_OPERATOR_LINEAR_OPERATOR_H

#include <stdbool.h>

typedef struct {
  int rows, cols;
  /* y = A x, or y = A^T x when transpose is set; y and x do not overlap. */
  void (*apply)(const void *context, double *y, const double *x, bool transpose);
  const void *context;
} linear_operator;

#endif
