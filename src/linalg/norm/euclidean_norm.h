/* The Euclidean norm in plain double, without overflow or underflow on the way. */
#ifndef ATTCERT_LINALG_NORM_EUCLIDEAN_NORM_H
#define ATTCERT_LINALG_NORM_EUCLIDEAN_NORM_H

#include <stdbool.h>

/* ||v||_2 of n entries, to a few roundings; for estimates, not for bounds (rounding.h has those). BLAS's dnrm2 may owe
 * its range to registers of 80 bits, which not every machine has. */
double euclidean_norm(const double *v, int n);

/* v := v / ||v||_2, n entries. False, and v as it was, when its norm is 0 or no finite number. Divides entry by entry:
 * 1 / ||v|| overflows for subnormal numbers. */
bool euclidean_normalize(double *v, int n);

#endif
