/* Certified spectral norm of a matrix of intervals. */
#ifndef ATTCERT_LINALG_NORM_INTERVAL_NORM_H
#define ATTCERT_LINALG_NORM_INTERVAL_NORM_H

#include "attcert.h"
#include "interval/interval.h"

/* norm contains ||A||_2 for every A (rows x cols, row-major) in the matrix of intervals, of any magnitude: the norm of
 * the midpoints, and the Frobenius norm of the radii about it. [0, +inf] where an entry is unbounded. Errors:
 * ATTCERT_RESOURCE. */
attcert_status interval_matrix_norm(interval *norm, const interval *a, int rows, int cols, attcert_error *err);

#endif
