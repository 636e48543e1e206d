#include "linalg/exact/fixed_matrix.h"

#include <stdlib.h>

_Static_assert(GMP_NUMB_BITS == 64, "a 128-bit sum is two limbs of GMP");

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

uint64_t fixed_matrix_bytes(size_t rows, size_t cols, size_t digits) {
  const size_t most = SIZE_MAX / sizeof(int64_t);
  if (rows == 0 || cols == 0 || digits == 0) return 0;
  return cols > most / rows || digits > most / rows / cols ? UINT64_MAX : rows * cols * digits * sizeof(int64_t);
}

bool fixed_matrix_init(fixed_matrix *m, size_t rows, size_t cols, size_t digits, long exponent) {
  *m = (fixed_matrix){.rows = rows, .cols = cols, .digits = digits, .exponent = exponent};
  const uint64_t bytes = fixed_matrix_bytes(rows, cols, digits);
  if (bytes < SIZE_MAX) m->digit = calloc(bytes / sizeof(int64_t), sizeof(int64_t));
  return m->digit != NULL;
}

void fixed_matrix_clear(fixed_matrix *m) {
  free(m->digit);
  m->digit = NULL;
}

/* Digit t of row i, column 0; the columns follow. */
static int64_t *digit_row(const fixed_matrix *m, size_t i, size_t t) {
  return m->digit + (i * m->digits + t) * m->cols;
}

bool fixed_matrix_fits(const fixed_matrix *m, mpz_srcptr x) {
  return mpz_sizeinbase(x, 2) <= FIXED_DIGIT_BITS * m->digits;
}

/* Digit t of |x|: it may lie across two limbs. */
static int64_t magnitude_digit(mpz_srcptr x, size_t t) {
  const size_t first = FIXED_DIGIT_BITS * t, limb = first / GMP_NUMB_BITS, shift = first % GMP_NUMB_BITS;
  const uint128 two = (uint128)mpz_getlimbn(x, (mp_size_t)limb + 1) << GMP_NUMB_BITS | mpz_getlimbn(x, (mp_size_t)limb);
  return (int64_t)(two >> shift & ((UINT64_C(1) << FIXED_DIGIT_BITS) - 1));
}

void fixed_matrix_set(fixed_matrix *m, size_t i, size_t j, mpz_srcptr x) {
  for (size_t t = 0; t < m->digits; t++) {
    const int64_t digit = magnitude_digit(x, t);
    digit_row(m, i, t)[j] = mpz_sgn(x) < 0 ? -digit : digit;
  }
}

void fixed_matrix_set_shifted(fixed_matrix *m, size_t i, size_t j, int64_t x, size_t shift) {
  const size_t t = shift / FIXED_DIGIT_BITS;
  const uint128 size = (uint128)(x < 0 ? -x : x) << shift % FIXED_DIGIT_BITS;
  const int64_t low = (int64_t)(size & ((UINT64_C(1) << FIXED_DIGIT_BITS) - 1)),
                high = (int64_t)(size >> FIXED_DIGIT_BITS);
  digit_row(m, i, t)[j] = x < 0 ? -low : low;
  if (high != 0) digit_row(m, i, t + 1)[j] = x < 0 ? -high : high;
}

/* r += x. */
static void add_int128(mpz_ptr r, int128 x) {
  const uint128 size = x < 0 ? -(uint128)x : (uint128)x;
  const mp_limb_t limbs[] = {(mp_limb_t)size, (mp_limb_t)(size >> GMP_NUMB_BITS)};
  mpz_t term;
  mpz_add(r, r, mpz_roinit_n(term, limbs, x < 0 ? -2 : 2));
}

void fixed_matrix_get(mpz_ptr x, const fixed_matrix *m, size_t i, size_t j) {
  mpz_set_ui(x, 0);
  for (size_t t = m->digits; t-- > 0;) {
    mpz_mul_2exp(x, x, FIXED_DIGIT_BITS);
    add_int128(x, digit_row(m, i, t)[j]);
  }
}

/* Sum of at most FIXED_CHUNK products of digits. Four at a time: less counting, a third faster. */
static int128 digit_dot(const int64_t *x, const int64_t *y, size_t n) {
  int128 sum = 0;
  size_t k = 0;
  for (; k + 4 <= n; k += 4)
    sum +=
        (int128)x[k] * y[k] + (int128)x[k + 1] * y[k + 1] + (int128)x[k + 2] * y[k + 2] + (int128)x[k + 3] * y[k + 3];
  for (; k < n; k++) sum += (int128)x[k] * y[k];
  return sum;
}

/* r += x . y. */
static void add_dot(mpz_ptr r, const int64_t *x, const int64_t *y, size_t n) {
  for (size_t k = 0; k < n; k += FIXED_CHUNK)
    add_int128(r, digit_dot(x + k, y + k, n - k < FIXED_CHUNK ? n - k : FIXED_CHUNK));
}

/* Horner's rule in 2^56, the pairs of digits with the largest sum of indices first. */
void fixed_matrix_dot(mpz_ptr sum, const fixed_matrix *a, size_t i, const fixed_matrix *b, size_t j, size_t n) {
  mpz_set_ui(sum, 0);
  for (size_t weight = a->digits + b->digits - 1; weight-- > 0;) {
    mpz_mul_2exp(sum, sum, FIXED_DIGIT_BITS);
    const size_t first = weight < b->digits ? 0 : weight - b->digits + 1;
    for (size_t s = first; s < a->digits && s <= weight; s++)
      add_dot(sum, digit_row(a, i, s), digit_row(b, j, weight - s), n);
  }
}
