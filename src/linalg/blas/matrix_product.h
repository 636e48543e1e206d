/* Products of dense row-major double matrices by BLAS, whose error model proofs/TRUST.md states. */
#ifndef ATTCERT_LINALG_BLAS_MATRIX_PRODUCT_H
#define ATTCERT_LINALG_BLAS_MATRIX_PRODUCT_H

/* c (rows x cols) := a b^T for a (rows x inner) and b (cols x inner), which do not overlap c. */
void matrix_multiply_transposed(double *c, const double *a, const double *b, int rows, int cols, int inner);

#endif
