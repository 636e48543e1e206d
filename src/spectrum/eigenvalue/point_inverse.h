/* An approximate inverse of a matrix of MPFR numbers. */
#ifndef ATTCERT_SPECTRUM_EIGENVALUE_POINT_INVERSE_H
#define ATTCERT_SPECTRUM_EIGENVALUE_POINT_INVERSE_H

#include "interval/point_vec.h"

#include <stdbool.h>

/* inverse, about X^-1 (k x k, row-major), of X given by its columns: row j of columns is column j of X. Gauss and
 * Jordan's elimination with partial pivoting, every operation to nearest; nothing is claimed of its error. work: k x k
 * numbers, order: k indices, both scratch. False where a pivot is 0 or no number. */
bool spectrum_point_inverse(point *inverse, const point *columns, point *work, size_t *order, size_t k);

#endif
