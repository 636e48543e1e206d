/* Matrices in fixed point against GMP's integers: what is stored, inner products to the last bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "linalg/exact/fixed_matrix.h"
#include "random_mpz.h"

static const int64_t DIGIT_MAX = (INT64_C(1) << FIXED_DIGIT_BITS) - 1;

static void init(fixed_matrix *m, size_t rows, size_t cols, size_t digits, long exponent) {
  assert_true(fixed_matrix_init(m, rows, cols, digits, exponent));
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

/* Every entry comes back, its neighbours with it, and its digits are what the header says. */
static void test_round_trip(void **state) {
  (void)state;
  enum { ROWS = 3, COLS = 5 };
  for (size_t digits = 1; digits <= 9; digits++) {
    random_source r = random_source_make(61, digits, 0);
    fixed_matrix m;
    mpz_t x[ROWS][COLS], back;
    mpz_init(back);
    init(&m, ROWS, COLS, digits, 0);
    for (size_t i = 0; i < ROWS; i++)
      for (size_t j = 0; j < COLS; j++) {
        mpz_init(x[i][j]);
        random_mpz(x[i][j], FIXED_DIGIT_BITS * digits, &r);
        fixed_matrix_get(back, &m, i, j);
        assert_int_equal(mpz_sgn(back), 0);
        assert_true(fixed_matrix_fits(&m, x[i][j]));
        fixed_matrix_set(&m, i, j, x[i][j]);
      }
    for (size_t i = 0; i < ROWS; i++)
      for (size_t j = 0; j < COLS; j++) {
        fixed_matrix_get(back, &m, i, j);
        assert_int_equal(mpz_cmp(back, x[i][j]), 0);
        for (size_t t = 0; t < digits; t++) {
          const int64_t digit = m.digit[(i * digits + t) * COLS + j];
          assert_true(llabs(digit) <= DIGIT_MAX);
          assert_true(digit == 0 || (digit < 0) == (mpz_sgn(x[i][j]) < 0));
        }
        mpz_clear(x[i][j]);
      }
    mpz_clear(back);
    fixed_matrix_clear(&m);
  }
}

static void test_fits(void **state) {
  (void)state;
  mpz_t x;
  mpz_init(x);
  for (size_t digits = 1; digits < 6; digits++) {
    const fixed_matrix m = {.digits = digits};
    mpz_set_ui(x, 1);
    mpz_mul_2exp(x, x, FIXED_DIGIT_BITS * digits);
    assert_false(fixed_matrix_fits(&m, x));
    mpz_sub_ui(x, x, 1);
    assert_true(fixed_matrix_fits(&m, x));
    mpz_neg(x, x);
    assert_true(fixed_matrix_fits(&m, x));
    mpz_sub_ui(x, x, 1);
    assert_false(fixed_matrix_fits(&m, x));
  }
  mpz_clear(x);
}

/* ---- the contracts that proofs trust, against integers that GMP computes from the digits ------------------------- */

enum { CONTRACT_ROWS = 4, CONTRACT_COLS = 6 };

/* Integer (i, j) by its definition. */
static void integer_of_digits(mpz_ptr x, const fixed_matrix *m, size_t i, size_t j) {
  mpz_t digit;
  mpz_init(digit);
  mpz_set_ui(x, 0);
  for (size_t t = m->digits; t-- > 0;) {
    mpz_mul_2exp(x, x, FIXED_DIGIT_BITS);
    mpz_set_si(digit, m->digit[(i * m->digits + t) * m->cols + j]);
    mpz_add(x, x, digit);
  }
  mpz_clear(digit);
}

/* `set` and `others` of fixed_matrix_set, `equal` of fixed_matrix_get. */
static void check_integers(const fixed_matrix *m, mpz_t known[CONTRACT_ROWS][CONTRACT_COLS]) {
  mpz_t x;
  mpz_init(x);
  for (size_t i = 0; i < CONTRACT_ROWS; i++)
    for (size_t j = 0; j < CONTRACT_COLS; j++) {
      integer_of_digits(x, m, i, j);
      assert_int_equal(mpz_cmp(x, known[i][j]), 0);
      mpz_set_si(x, -7); /* is overwritten */
      fixed_matrix_get(x, m, i, j);
      assert_int_equal(mpz_cmp(x, known[i][j]), 0);
    }
  mpz_clear(x);
}

/* `sides` and `zeros` of fixed_matrix_init. */
static void check_zeros(const fixed_matrix *m, size_t digits, long exponent) {
  assert_true(m->rows == CONTRACT_ROWS && m->cols == CONTRACT_COLS && m->digits == digits && m->exponent == exponent);
  mpz_t x;
  mpz_init(x);
  for (size_t i = 0; i < CONTRACT_ROWS; i++)
    for (size_t j = 0; j < CONTRACT_COLS; j++) {
      integer_of_digits(x, m, i, j);
      assert_int_equal(mpz_sgn(x), 0);
    }
  mpz_clear(x);
}

/* `sum` of fixed_matrix_dot: rows of one matrix, the same row included. */
static void check_sums(const fixed_matrix *m, mpz_t known[CONTRACT_ROWS][CONTRACT_COLS], size_t n) {
  mpz_t sum, expected;
  mpz_inits(sum, expected, NULL);
  for (size_t i = 0; i < CONTRACT_ROWS; i++)
    for (size_t j = 0; j < CONTRACT_ROWS; j++) {
      mpz_set_ui(expected, 0);
      for (size_t k = 0; k < n; k++) mpz_addmul(expected, known[i][k], known[j][k]);
      fixed_matrix_dot(sum, m, i, m, j, n);
      assert_int_equal(mpz_cmp(sum, expected), 0);
    }
  mpz_clears(sum, expected, NULL);
}

/* `fits` of fixed_matrix_fits, on both sides of the limit. */
static void check_limit(const fixed_matrix *m, mpz_srcptr x) {
  mpz_t limit;
  mpz_init_set_ui(limit, 1);
  mpz_mul_2exp(limit, limit, FIXED_DIGIT_BITS * m->digits);
  assert_true(fixed_matrix_fits(m, x) == (mpz_cmpabs(x, limit) < 0));
  mpz_clear(limit);
}

static void test_contracts(void **state) {
  (void)state;
  for (size_t digits = 1; digits <= 4; digits++) {
    random_source r = random_source_make(64, digits, 0);
    fixed_matrix m;
    mpz_t known[CONTRACT_ROWS][CONTRACT_COLS], x;
    mpz_init(x);
    init(&m, CONTRACT_ROWS, CONTRACT_COLS, digits, 0);
    for (size_t i = 0; i < CONTRACT_ROWS; i++)
      for (size_t j = 0; j < CONTRACT_COLS; j++) mpz_init(known[i][j]);
    for (int step = 0; step < 200; step++) {
      const size_t i = (size_t)random_integer(&r, 0, CONTRACT_ROWS - 1);
      const size_t j = (size_t)random_integer(&r, 0, CONTRACT_COLS - 1);
      random_mpz(x, FIXED_DIGIT_BITS * digits + 2, &r);
      check_limit(&m, x);
      if (!fixed_matrix_fits(&m, x)) continue;
      fixed_matrix_set(&m, i, j, x);
      mpz_set(known[i][j], x);
      check_integers(&m, known);
      check_sums(&m, known, (size_t)random_integer(&r, 0, CONTRACT_COLS));
    }
    for (size_t i = 0; i < CONTRACT_ROWS; i++)
      for (size_t j = 0; j < CONTRACT_COLS; j++) mpz_clear(known[i][j]);
    mpz_clear(x);
    fixed_matrix_clear(&m);
  }
}

/* x 2^shift that fits, of any size: |x| < 2^56, not 0. */
static int64_t random_shifted(random_source *r, size_t digits, size_t *shift) {
  *shift = (size_t)random_integer(r, 0, (int)(FIXED_DIGIT_BITS * digits) - 1);
  const size_t room = FIXED_DIGIT_BITS * digits - *shift, bits = room < FIXED_DIGIT_BITS ? room : FIXED_DIGIT_BITS;
  const int64_t largest = (INT64_C(1) << bits) - 1;
  const int64_t size = random_chance(r, 0.2) ? largest : (int64_t)(random_bits(r) % (uint64_t)largest) + 1;
  return random_chance(r, 0.5) ? size : -size;
}

/* `set` and `others` of fixed_matrix_set_shifted, every integer once, in any order of entries. */
static void test_set_shifted(void **state) {
  (void)state;
  for (size_t round = 0; round < 200; round++) {
    const size_t digits = round % 5 + 1;
    random_source r = random_source_make(65, round, 0);
    fixed_matrix m;
    mpz_t known[CONTRACT_ROWS][CONTRACT_COLS];
    init(&m, CONTRACT_ROWS, CONTRACT_COLS, digits, (long)round);
    check_zeros(&m, digits, (long)round);
    for (size_t i = 0; i < CONTRACT_ROWS; i++)
      for (size_t j = 0; j < CONTRACT_COLS; j++) mpz_init(known[i][j]);
    for (size_t step = 0; step < CONTRACT_ROWS * CONTRACT_COLS; step++) {
      const size_t place = (step * 7 + round) % (CONTRACT_ROWS * CONTRACT_COLS);
      const size_t i = place / CONTRACT_COLS, j = place % CONTRACT_COLS;
      size_t shift;
      const int64_t x = random_shifted(&r, digits, &shift);
      fixed_matrix_set_shifted(&m, i, j, x, shift);
      mpz_set_si(known[i][j], (long)x);
      mpz_mul_2exp(known[i][j], known[i][j], shift);
      check_integers(&m, known);
    }
    for (size_t i = 0; i < CONTRACT_ROWS; i++)
      for (size_t j = 0; j < CONTRACT_COLS; j++) mpz_clear(known[i][j]);
    fixed_matrix_clear(&m);
  }
}

/* ---- inner products ---------------------------------------------------------------------------------------------- */

static void check_dot(const fixed_matrix *a, size_t i, const fixed_matrix *b, size_t j, size_t n) {
  mpz_t sum, x, y, expected;
  mpz_inits(sum, x, y, expected, NULL);
  for (size_t k = 0; k < n; k++) {
    fixed_matrix_get(x, a, i, k);
    fixed_matrix_get(y, b, j, k);
    mpz_addmul(expected, x, y);
  }
  mpz_set_ui(sum, 12345); /* is overwritten */
  fixed_matrix_dot(sum, a, i, b, j, n);
  assert_int_equal(mpz_cmp(sum, expected), 0);
  mpz_clears(sum, x, y, expected, NULL);
}

/* All pairs of rows, different numbers of digits included. */
static void test_dot(void **state) {
  (void)state;
  enum { ROWS = 3, COLS = 70 };
  for (size_t digits = 1; digits <= 25; digits++) {
    random_source r = random_source_make(63, digits % 5 + 1, digits / 5 + 1);
    fixed_matrix a, b;
    mpz_t x;
    mpz_init(x);
    init(&a, ROWS, COLS, (digits - 1) % 5 + 1, 3);
    init(&b, ROWS, COLS, (digits - 1) / 5 + 1, -7);
    for (size_t i = 0; i < ROWS; i++)
      for (size_t k = 0; k < COLS; k++) {
        random_mpz(x, FIXED_DIGIT_BITS * a.digits, &r);
        fixed_matrix_set(&a, i, k, x);
        random_mpz(x, FIXED_DIGIT_BITS * b.digits, &r);
        fixed_matrix_set(&b, i, k, x);
      }
    for (size_t n = 0; n <= COLS; n += n < 9 ? 1 : 7)
      for (size_t i = 0; i < ROWS; i++) {
        check_dot(&a, i, &b, (i + n) % ROWS, n);
        check_dot(&a, i, &a, i, n);
      }
    mpz_clear(x);
    fixed_matrix_clear(&a);
    fixed_matrix_clear(&b);
  }
}

/* Sums of the largest digits fill 126 of 127 bits, and go on beyond a chunk: all of one sign, and of both. */
static void test_dot_of_largest_entries(void **state) {
  (void)state;
  enum { COLS = 2 * FIXED_CHUNK + 3 };
  static const size_t lengths[] = {FIXED_CHUNK - 1, FIXED_CHUNK, FIXED_CHUNK + 1, COLS};
  fixed_matrix m;
  mpz_t x;
  mpz_init_set_ui(x, 1);
  mpz_mul_2exp(x, x, 2 * FIXED_DIGIT_BITS);
  mpz_sub_ui(x, x, 1);
  init(&m, 3, COLS, 2, 0);
  for (size_t k = 0; k < COLS; k++) {
    fixed_matrix_set(&m, 0, k, x);
    mpz_neg(x, x);
    fixed_matrix_set(&m, 1, k, x);
    if (k % 2 == 1) mpz_neg(x, x);
    fixed_matrix_set(&m, 2, k, x);
    mpz_abs(x, x);
  }
  for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 3; j++) check_dot(&m, i, &m, j, lengths[l]);
  mpz_clear(x);
  fixed_matrix_clear(&m);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void test_bytes(void **state) {
  (void)state;
  assert_int_equal(fixed_matrix_bytes(3, 5, 2), 3 * 5 * 2 * 8);
  assert_int_equal(fixed_matrix_bytes(0, SIZE_MAX, SIZE_MAX), 0);
  assert_true(fixed_matrix_bytes(SIZE_MAX / 8, 1, 1) == SIZE_MAX / 8 * 8);
  assert_true(fixed_matrix_bytes(SIZE_MAX / 8, 1, 2) == UINT64_MAX);
  assert_true(fixed_matrix_bytes((size_t)1 << 32, (size_t)1 << 32, 1) == UINT64_MAX);
  fixed_matrix m;
  assert_false(fixed_matrix_init(&m, (size_t)1 << 32, (size_t)1 << 32, 1, 0));
  fixed_matrix_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_fits), cmocka_unit_test(test_contracts),
      cmocka_unit_test(test_set_shifted), cmocka_unit_test(test_dot),  cmocka_unit_test(test_dot_of_largest_entries),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
