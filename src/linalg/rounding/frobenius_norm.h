/* The Frobenius norm in plain double, bounded above. */
#ifndef ATTCERT_LINALG_ROUNDING_FROBENIUS_NORM_H
#define ATTCERT_LINALG_ROUNDING_FROBENIUS_NORM_H

#include <stddef.h>

/* >= the root of a sum of `count` squares computed as `sum`: at most m roundings of a term, the first addition to 0,
 * exact, counted in place of the one made here. */
double frobenius_norm_of_sum(double sum, double m, double count);

/* >= ||A||_F of count doubles, `cols` a row: rows are summed first. */
double frobenius_norm_upper(const double *a, size_t count, size_t cols);

#endif
