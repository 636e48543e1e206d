/* The quantities of W = Q^T K (d x d, without the factor 1/sqrt(k)) that need no eigenvalue:
 *   tr W = tr B,  tr W^2 = tr B^2,  ||W||_F^2 = tr(W W^T) = sum_ij (L L^T)_ij (R R^T)_ij   (k > d: sum_ij B_ij^2)
 * with the factors of factors.h, and of the eigenvalues lambda_1 .. lambda_d, as tr W^j = sum_i lambda_i^j,
 *   mean  m = sum_i lambda_i / d = tr W / d,   variance  sum_i (lambda_i - m)^2 / d = tr W^2 / d - (tr W / d)^2:
 * of squares, not of squared moduli, so it is negative where imaginary parts prevail. */
#ifndef ATTCERT_SPECTRUM_MATRIX_TRACES_H
#define ATTCERT_SPECTRUM_MATRIX_TRACES_H

#include "spectrum/matrix/factors.h"

/* Bits that the sums start with, and those of the eigenvalues' matrices. */
enum { SPECTRUM_PRECISION = 256 };

typedef struct {
  interval trace, trace_of_square, frobenius, mean, variance;
} spectrum_traces;

void spectrum_traces_init(spectrum_traces *t);
void spectrum_traces_clear(spectrum_traces *t);

/* Raises the precision while an enclosure is wider than 2^-60 of its least magnitude: what cancels exactly becomes
 * [0, 0]. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_traces_enclose(spectrum_traces *t, const spectrum_factors *f, attcert_error *err);

#endif
