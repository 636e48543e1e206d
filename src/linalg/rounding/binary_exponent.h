/* Binary exponents of magnitudes: |x| < 2^exponent(x), with a value of its own for zero. */
#ifndef ATTCERT_LINALG_ROUNDING_BINARY_EXPONENT_H
#define ATTCERT_LINALG_ROUNDING_BINARY_EXPONENT_H

#include "interval/interval.h"

#include <limits.h>
#include <math.h>

#define EXPONENT_OF_ZERO (LONG_MIN / 4)
#define SMALLEST_EXPONENT (-(1L << 40))

static inline long exponent_max(long a, long b) {
  return a > b ? a : b;
}

/* Exponent of a product. */
static inline long exponent_product(long a, long b) {
  return a == EXPONENT_OF_ZERO || b == EXPONENT_OF_ZERO ? EXPONENT_OF_ZERO : a + b;
}

static inline long exponent_of_doubles(const double *x, size_t n) {
  double largest = 0.0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  int exponent;
  frexp(largest, &exponent);
  return largest == 0.0 ? EXPONENT_OF_ZERO : exponent;
}

/* Not below -2^40, which is a bound of what is smaller, so that sums of a few exponents stay in range. */
static inline long exponent_of_endpoint(mpfr_srcptr x) {
  return mpfr_regular_p(x) ? exponent_max((long)mpfr_get_exp(x), SMALLEST_EXPONENT) : EXPONENT_OF_ZERO;
}

static inline long exponent_of_interval(const interval *a) {
  return exponent_max(exponent_of_endpoint(a->lo), exponent_of_endpoint(a->hi));
}

/* x 2^e; exponents beyond int are beyond double's range anyway. */
static inline double scale_double(double x, long e) {
  return ldexp(x, e > 5000 ? 5000 : e < -5000 ? -5000 : (int)e);
}

#endif
