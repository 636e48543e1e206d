/* Questions about intervals that tests alone ask, by MPFR's comparisons; a NaN endpoint stands for every number. */
#ifndef ATTCERT_TESTS_SUPPORT_INTERVAL_RELATION_H
#define ATTCERT_TESTS_SUPPORT_INTERVAL_RELATION_H

#include "interval/interval.h"

#include <stdbool.h>

/* Every real number is in a. */
bool interval_relation_whole(const interval *a);

/* x, finite, is in a. */
bool interval_relation_contains(const interval *a, double x);

/* The endpoints of a and b are the same numbers, infinities or NaN. */
bool interval_relation_same_ends(const interval *a, const interval *b);

#endif
