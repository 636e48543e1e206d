/* The entropy of a row of attention, H(p) = - sum_j p_j ln p_j with 0 ln 0 = 0: at most ln n, where all weights are
 * equal, and 0 where one is 1. */
#ifndef ATTCERT_SPECTRUM_ENTROPY_H
#define ATTCERT_SPECTRUM_ENTROPY_H

#include "interval/interval.h"

#include <stddef.h>

/* entropy contains H(x) for all weights x_j in p_j, intervals in [0, 1]. */
void spectrum_entropy(interval *entropy, const interval *p, size_t n, interval_scratch *ws);

#endif
