/* The measure of rank collapse: how much the tokens of a block differ. */
#ifndef ATTCERT_SPECTRUM_TOKEN_SIMILARITY_H
#define ATTCERT_SPECTRUM_TOKEN_SIMILARITY_H

#include "interval/interval.h"

#include <stddef.h>

/* ratio contains ||Y - 1 m||_F / ||Y||_F, m the mean of the rows, for every Y (n x columns) in y: 0 where all tokens
 * are equal, never above 1. Whole where ||Y|| may be 0. Evaluated as sqrt(1 - n |m|^2 / ||Y||_F^2) would cancel; as a
 * sum of squared deviations it does not. */
void spectrum_token_similarity(interval *ratio, const interval *y, size_t n, size_t columns);

#endif
