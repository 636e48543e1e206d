/* Upper bound of the spectral norm of a double matrix through its Gram matrix. */
#ifndef ATTCERT_LINALG_NORM_GRAM_NORM_H
#define ATTCERT_LINALG_NORM_GRAM_NORM_H

#include "attcert.h"

/* *norm >= ||A||_2 of rows x columns doubles, each within `roundings` roundings of the matrix that is meant: the root
 * of what symmetric_norm.h bounds ||A A^T|| by, or ||A^T A|| where A has fewer columns than rows. For an inner product
 * of m terms |fl(A A^T) - A A^T| <= gamma_{m + 2 roundings} |A| |A|^T (Coq: `inner_product`), whose norm is at most
 * that gamma times ||A||_F^2. Errors: ATTCERT_RESOURCE, *norm is then +inf. */
attcert_status gram_norm_upper(double *norm, const double *a, int rows, int columns, double roundings,
                               attcert_error *err);

#endif
