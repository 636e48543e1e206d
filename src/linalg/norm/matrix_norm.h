/* Certified spectral norm of a small dense matrix (sides up to a few thousand). */
#ifndef ATTCERT_LINALG_NORM_MATRIX_NORM_H
#define ATTCERT_LINALG_NORM_MATRIX_NORM_H

#include "attcert.h"

/* Encloses the norm of every matrix A' with ||A' - A||_2 <= error, A of rows x cols doubles (row-major, finite):
 * lo <= ||A'||_2 <= hi, rounded outward to the precision of lo and hi. Any magnitude: A is scaled by a
 * power of two first. lo comes from a proposed vector, hi from a Cholesky residual of tau^2 I - A A^T (or
 * A^T A, whichever is smaller). */
attcert_status matrix_norm(mpfr_t lo, mpfr_t hi, const double *a, int rows, int cols, double error, attcert_error *err);

#endif
