/* exact_rows: inner products of rows of doubles against rational numbers, rounded once, whatever the sizes of the
 * entries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "exact_sum.h"
#include "linalg/exact/exact_rows.h"
#include "linalg/exact/exact_rows_memory.h"
#include "random_source.h"

enum { ROWS = 3, COLS = 9, PRECISION = 64 };

/* An entry of size 2^low to 2^high, or 0. */
static double random_entry(random_source *r, int low, int high) {
  if (random_chance(r, 0.2)) return 0.0;
  const double size = random_magnitude(r, low, high);
  return random_chance(r, 0.5) ? size : -size;
}

static void fill(double *x, random_source *r, int low, int high) {
  for (size_t i = 0; i < ROWS * COLS; i++) x[i] = random_entry(r, low, high);
}

/* sum of x_j y_j 2^shift_j, exactly. */
static void exact_dot(mpq_t sum, const double *x, const double *y, const long *shift) {
  mpq_t term;
  mpq_init(term);
  mpq_set_ui(sum, 0, 1);
  for (size_t j = 0; j < COLS; j++) {
    mpq_set_ui(term, 0, 1);
    exact_add_product(term, x[j], y[j]);
    if (shift != NULL && shift[j] >= 0) mpq_mul_2exp(term, term, (mp_bitcnt_t)shift[j]);
    if (shift != NULL && shift[j] < 0) mpq_div_2exp(term, term, (mp_bitcnt_t)-shift[j]);
    mpq_add(sum, sum, term);
  }
  mpq_clear(term);
}

/* The two ends are the exact value's neighbours, or both the value itself. */
static void assert_nearest(const interval *product, const mpq_t exact) {
  mpfr_t lo, hi;
  mpfr_inits2(PRECISION, lo, hi, (mpfr_ptr)0);
  mpfr_set_q(lo, exact, MPFR_RNDD);
  mpfr_set_q(hi, exact, MPFR_RNDU);
  assert_true(mpfr_equal_p(lo, product->lo) && mpfr_equal_p(hi, product->hi));
  mpfr_clears(lo, hi, (mpfr_ptr)0);
}

static void check_rows(const double *x, const double *y, const long *shift) {
  exact_rows a, b;
  interval product;
  mpq_t exact;
  mpz_t sum;
  mpz_init(sum);
  mpq_init(exact);
  interval_init(&product, PRECISION);
  assert_true(exact_rows_init(&a, x, ROWS, COLS, shift));
  assert_true(exact_rows_init(&b, y, ROWS, COLS, NULL));
  assert_int_equal(b.integers.digits, exact_rows_digits(y, ROWS, COLS));
  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; j < ROWS; j++) {
      exact_rows_dot(&product, &a, i, &b, j, sum);
      exact_dot(exact, x + i * COLS, y + j * COLS, shift);
      assert_nearest(&product, exact);
    }
  exact_rows_clear(&a);
  exact_rows_clear(&b);
  interval_clear(&product);
  mpq_clear(exact);
  mpz_clear(sum);
}

static void test_products(void **state) {
  (void)state;
  static const int ranges[][2] = {{0, 0}, {-3, 3}, {-60, 60}, {-500, 500}, {-1074, 1023}, {-1074, -1022}, {1000, 1023}};
  enum { RANGES = sizeof ranges / sizeof ranges[0], REPEAT = 20 };
  random_source r = random_source_make(71, 0, 0);
  for (int f = 0; f < RANGES * RANGES * REPEAT; f++) {
    double x[ROWS * COLS], y[ROWS * COLS];
    const int *const first = ranges[f % RANGES], *const second = ranges[f / RANGES % RANGES];
    fill(x, &r, first[0], first[1]);
    fill(y, &r, second[0], second[1]);
    check_rows(x, y, NULL);
  }
}

static void test_shifts(void **state) {
  (void)state;
  random_source r = random_source_make(72, 0, 0);
  for (int f = 0; f < 200; f++) {
    double x[ROWS * COLS], y[ROWS * COLS];
    long shift[COLS];
    fill(x, &r, -20, 20);
    fill(y, &r, -900, 900);
    for (size_t j = 0; j < COLS; j++) shift[j] = random_integer(&r, -4000, 4000);
    check_rows(x, y, shift);
  }
}

/* 2^80 + 1 + 2^-80: what cancels does so exactly. */
static void test_cancellation(void **state) {
  (void)state;
  const double x[ROWS * COLS] = {0x1p40, 1.0, -0x1p40, 0x1p-40}, y[ROWS * COLS] = {0x1p40, 1.0, 0x1p40, 0x1p-40};
  check_rows(x, y, NULL);
  const double zeros[ROWS * COLS] = {0.0};
  assert_int_equal(exact_rows_digits(zeros, ROWS, COLS), 1);
  check_rows(zeros, y, NULL);
  const double widest[ROWS * COLS] = {0x1p-1074, 0x1.fffffffffffffp1023};
  assert_int_equal(exact_rows_digits(widest, ROWS, COLS), (1024 + 1074 + FIXED_DIGIT_BITS - 1) / FIXED_DIGIT_BITS);
  check_rows(widest, widest, NULL);
}

/* `set` and `others` of exact_rows_set_exponent, `equal` of exact_rows_exponent. */
static void test_exponents(void **state) {
  (void)state;
  enum { COUNT = 5 };
  random_source r = random_source_make(74, 0, 0);
  exact_rows a = {.integers = {.rows = COUNT}};
  long known[COUNT];
  assert_true(exact_rows_exponents_init(&a, COUNT));
  for (size_t i = 0; i < COUNT; i++) known[i] = exact_rows_exponent(&a, i);
  for (int step = 0; step < 100; step++) {
    const size_t i = (size_t)random_integer(&r, 0, COUNT - 1);
    known[i] = (long)random_bits(&r) / 4;
    exact_rows_set_exponent(&a, i, known[i]);
    for (size_t k = 0; k < COUNT; k++) assert_true(exact_rows_exponent(&a, k) == known[k]);
  }
  exact_rows_exponents_clear(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_shifts),
      cmocka_unit_test(test_cancellation),
      cmocka_unit_test(test_exponents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
