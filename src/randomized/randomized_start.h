/* Random starts whose component along any fixed unit vector is small with small probability only.
 *
 * Let g have independent standard normal entries. Whatever the unit vector u, <g, u> is standard normal, so
 * P(|<g, u>| <= s) <= sqrt(2 / pi) s <= 0.8 s. The entries x_i that are drawn here are functions of 192 random bits a
 * pair, which are those of an exact pair g_i = sqrt(-2 ln U) (cos, sin)(2 pi V), U and V uniform in (0, 1), to 128 and
 * 64 places: |x_i - g_i| <= RANDOMIZED_START_ERROR unless U < 2^-64, which happens for one pair with probability 2^-64.
 * So for x of length N
 *
 *     P(|<x, u>| <= t) <= 0.8 (t + RANDOMIZED_START_ERROR sqrt(N)) + N 2^-64,
 *
 * and m independent starts all have that with at most the m-th power of it.
 *
 * The error, for U >= 2^-64 (radius at most 9.5): the places of U that are not drawn, 2^-63; those of V, 2 pi 2^-65
 * times the radius; its double and the product with 2 pi, 2^-48 times the radius; log, log1p, sqrt, cos, sin and the
 * product within 16 units in the last place of results below 90, 1, 9.5, 1, 1 and 9.5: together less than 2^-43. Of
 * U > 1/2 the logarithm is that of 1 - (1 - U), where 1 - U is drawn to 128 places, too. */
#ifndef ATTCERT_RANDOMIZED_RANDOMIZED_START_H
#define ATTCERT_RANDOMIZED_RANDOMIZED_START_H

#include "randomized/randomized_bits.h"

#define RANDOMIZED_START_ERROR 0x1p-40

/* x[0 .. count - 1] := a start. Errors: those of randomized_bits_draw. */
attcert_status randomized_start_draw(double *x, size_t count, randomized_bits *bits, attcert_error *err);

/* The pair that these 192 bits stand for; its own function for its test. */
void randomized_start_pair(double pair[2], const uint64_t word[3]);

/* log2 of a probability > 0, rounded down, so that its power of two is no greater; exact where it is a whole number. */
double randomized_failure_log2(double failure);

/* The largest t with (0.8 (t + RANDOMIZED_START_ERROR sqrt(count)) + count 2^-64)^starts <= 2^failure_log2, rounded
 * downward; 0 or less where there is none. */
double randomized_start_threshold(double failure_log2, int starts, size_t count);

#endif
