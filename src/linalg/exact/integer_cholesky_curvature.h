/* Where a matrix is not positive, from the factorisation in integers that failed. */
#ifndef ATTCERT_LINALG_EXACT_INTEGER_CHOLESKY_CURVATURE_H
#define ATTCERT_LINALG_EXACT_INTEGER_CHOLESKY_CURVATURE_H

#include "linalg/exact/integer_cholesky.h"

/* After a pivot that is not positive, in column c: w[n] with w^T (t I - G) w about that pivot, c_cc <= 0:
 * w = (-L^-T l_c, 1, 0), L the rows before c and l_c^T row c, in double. False where there was none. Uncertified. */
bool integer_cholesky_curvature(double *w, const integer_cholesky *f);

#endif
