#include "linalg/exact_rows.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* x = significand 2^place; 0 is 0 2^0. */
typedef struct {
  int64_t significand; /* odd, or 0 */
  int place;
} dyadic;

static dyadic dyadic_of(double x) {
  int exponent;
  const int64_t significand = (int64_t)ldexp(frexp(x, &exponent), 53);
  if (significand == 0) return (dyadic){0, 0};
  const int zeros = __builtin_ctzll((unsigned long long)significand);
  return (dyadic){significand / (INT64_C(1) << zeros), exponent - 53 + zeros};
}

/* The last place of a row, and the bits from there to its largest entry; 0 and 0 for zeros. */
typedef struct {
  long place;
  size_t bits;
} extent;

static extent extent_of(const double *x, size_t cols, const long *shift) {
  long last = LONG_MAX, top = LONG_MIN;
  for (size_t j = 0; j < cols; j++) {
    if (x[j] == 0.0) continue;
    const long by = shift != NULL ? shift[j] : 0, place = dyadic_of(x[j]).place + by, end = by + 1 + ilogb(x[j]);
    last = place < last ? place : last;
    top = end > top ? end : top;
  }
  return last == LONG_MAX ? (extent){0, 0} : (extent){last, (size_t)(top - last)};
}

static size_t digits_of(const double *x, size_t rows, size_t cols, const long *shift) {
  size_t most = 1;
  for (size_t i = 0; i < rows; i++) {
    const size_t bits = extent_of(x + i * cols, cols, shift).bits;
    most = bits > most ? bits : most;
  }
  return (most + FIXED_DIGIT_BITS - 1) / FIXED_DIGIT_BITS;
}

size_t exact_rows_digits(const double *x, size_t rows, size_t cols) {
  return digits_of(x, rows, cols, NULL);
}

bool exact_rows_init(exact_rows *a, const double *x, size_t rows, size_t cols, const long *shift) {
  a->exponent = calloc(rows, sizeof(long));
  if (!fixed_matrix_init(&a->integers, rows, cols, digits_of(x, rows, cols, shift), 0) || a->exponent == NULL)
    return false;
  for (size_t i = 0; i < rows; i++) {
    a->exponent[i] = extent_of(x + i * cols, cols, shift).place;
    for (size_t j = 0; j < cols; j++) {
      const dyadic d = dyadic_of(x[i * cols + j]);
      const long place = d.place + (shift != NULL ? shift[j] : 0);
      if (d.significand != 0)
        fixed_matrix_set_shifted(&a->integers, i, j, d.significand, (size_t)(place - a->exponent[i]));
    }
  }
  return true;
}

void exact_rows_clear(exact_rows *a) {
  fixed_matrix_clear(&a->integers);
  free(a->exponent);
  a->exponent = NULL;
}

void exact_rows_dot(interval *product, const exact_rows *a, size_t i, const exact_rows *b, size_t j, mpz_ptr sum) {
  const long exponent = a->exponent[i] + b->exponent[j];
  fixed_matrix_dot(sum, &a->integers, i, &b->integers, j, a->integers.cols);
  mpfr_set_z_2exp(product->lo, sum, exponent, MPFR_RNDD);
  mpfr_set_z_2exp(product->hi, sum, exponent, MPFR_RNDU);
}
