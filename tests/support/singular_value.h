/* LAPACK's largest singular value, for comparison: no bound. */
#ifndef ATTCERT_TESTS_SUPPORT_SINGULAR_VALUE_H
#define ATTCERT_TESTS_SUPPORT_SINGULAR_VALUE_H

/* Of a rows x columns matrix, row-major. */
double largest_singular_value(const double *a, int rows, int columns);

#endif
