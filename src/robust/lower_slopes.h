/* The slopes of a walk's lines as a list: below the curve those of all entries, then those above it, step by step. */
#ifndef ATTCERT_ROBUST_LOWER_SLOPES_H
#define ATTCERT_ROBUST_LOWER_SLOPES_H

#include "robust/lower.h"

/* How many there are. */
size_t robust_lower_slopes(const robust_lower *l);

/* Those of the last walk; NaN where functional 0 does not gain from another than the step's own choice. */
void robust_lower_slopes_take(double *slope, const robust_lower *l);

/* The next robust_lower_bound is with these; a step chooses itself where one is not finite. */
void robust_lower_slopes_put(robust_lower *l, const double *slope);

#endif
