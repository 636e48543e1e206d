/* Random and hostile intervals: every kind of endpoint that the interval module names, at any precision.
 *
 * MPFR's exponent range can be narrowed for a case, so that overflow and underflow happen within reach of exact
 * rational arithmetic (the usual range, 2^30 binary orders each way, is not). */
#ifndef ATTCERT_TESTS_SUPPORT_RANDOM_INTERVAL_H
#define ATTCERT_TESTS_SUPPORT_RANDOM_INTERVAL_H

#include "interval/interval.h"
#include "random_source.h"

/* 2 .. 300, the smallest and the word sizes more often. */
mpfr_prec_t random_precision(random_source *s);

/* A number, never infinite: small integers, zeros of both signs, subnormal and extreme doubles, 1e-300 and 1e+300,
 * powers of two and their neighbours, random significands with exponents up to +-1100. */
void random_number(mpfr_ptr x, random_source *s);

/* Points, narrow and wide intervals, ends at 0, 0 inside; one in eight is half a line, whole, empty or has a NaN. */
void random_interval(interval *x, random_source *s);

/* The same, always bounded. */
void random_bounded_interval(interval *x, random_source *s);

/* A finite double of any magnitude: zeros, subnormals and the ends of the range often. */
double random_double(random_source *s);

/* MPFR's exponent range. */
typedef struct {
  mpfr_exp_t min, max;
} exponent_range;

/* One time in four, limits MPFR's exponents to [-bound, bound] for a random bound. Returns the range as it was
 * before. */
exponent_range random_exponent_range(random_source *s);
void set_exponent_range(exponent_range range);

/* "name: bits [lo, hi]" with hexadecimal ends, to stderr: the input of a failed case. */
void print_interval(const char *name, const interval *x);

#endif
