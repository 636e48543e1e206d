/* Sums of products of doubles without rounding, as rational numbers. */
#ifndef ATTCERT_TESTS_SUPPORT_EXACT_SUM_H
#define ATTCERT_TESTS_SUPPORT_EXACT_SUM_H

#include <gmp.h>

/* sum += x y, exactly; x and y are finite. */
void exact_add_product(mpq_t sum, double x, double y);

#endif
