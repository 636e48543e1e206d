/* Numbers of MPFR as entries of a matrix in fixed point: at most half a unit off, counted, refused where there is no
 * room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "linalg/exact/fixed_matrix_round.h"
#include "random_mpz.h"

static void init(fixed_matrix *m, size_t rows, size_t cols, size_t digits, long exponent) {
  assert_true(fixed_matrix_init(m, rows, cols, digits, exponent));
}

/* ---- one number -------------------------------------------------------------------------------------------------- */

/* Twice the distance of x from entry (0, 0), in units of 2^exponent; exactly. */
static void twice_distance(mpfr_ptr distance, const fixed_matrix *m, mpfr_srcptr x) {
  mpz_t integer;
  mpz_init(integer);
  fixed_matrix_get(integer, m, 0, 0);
  mpfr_mul_2si(distance, x, -m->exponent, MPFR_RNDN);
  assert_int_equal(mpfr_sub_z(distance, distance, integer, MPFR_RNDN), 0);
  mpfr_mul_2ui(distance, distance, 1, MPFR_RNDN);
  mpfr_abs(distance, distance, MPFR_RNDN);
  mpz_clear(integer);
}

/* Nearest, at half a unit in the worst case and nearly so in some; `FIXED_EXACT` exactly where nothing was rounded. */
static void test_rounds_to_nearest(void **state) {
  (void)state;
  static const long exponents[] = {0, -1, -100, 100, -1074, 1023, -(1L << 29), 1L << 29};
  for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
    random_source r = random_source_make(62, e, 0);
    fixed_matrix m;
    mpz_t integer;
    mpfr_t x, distance;
    double largest = 0;
    mpz_init(integer);
    mpfr_inits2(160, x, distance, (mpfr_ptr)NULL);
    init(&m, 1, 1, 2, exponents[e]);
    for (int i = 0; i < 500; i++) {
      const long below = random_integer(&r, 0, 40);
      random_mpz(integer, 2 * FIXED_DIGIT_BITS - 1 + (size_t)below, &r);
      mpfr_set_z_2exp(x, integer, exponents[e] - below, MPFR_RNDN);
      const bool exact = mpz_divisible_2exp_p(integer, (mp_bitcnt_t)below);
      assert_int_equal(fixed_matrix_round(&m, 0, 0, x), exact ? FIXED_EXACT : FIXED_ROUNDED);
      twice_distance(distance, &m, x);
      assert_true(mpfr_cmp_ui(distance, 1) <= 0);
      if (mpfr_cmp_d(distance, largest) > 0) largest = mpfr_get_d(distance, MPFR_RNDN);
    }
    assert_true(largest > 0.9);
    mpz_clear(integer);
    mpfr_clears(x, distance, (mpfr_ptr)NULL);
    fixed_matrix_clear(&m);
  }
}

/* What is far below the unit is 0, and known to be rounded, even where its quotient by the unit leaves MPFR's range. */
static void test_rounds_tiny_numbers(void **state) {
  (void)state;
  const mpfr_exp_t least = mpfr_get_emin();
  fixed_matrix m;
  mpfr_t x;
  mpz_t integer;
  mpz_init(integer);
  mpfr_init2(x, 53);
  init(&m, 1, 1, 2, 10);
  for (int shift = 0; shift < 20; shift++) {
    mpfr_set_si_2exp(x, shift % 2 ? 1 : -1, least + shift, MPFR_RNDN);
    assert_false(mpfr_zero_p(x));
    assert_int_equal(fixed_matrix_round(&m, 0, 0, x), FIXED_ROUNDED);
    fixed_matrix_get(integer, &m, 0, 0);
    assert_int_equal(mpz_sgn(integer), 0);
  }
  mpfr_set_zero(x, -1);
  assert_int_equal(fixed_matrix_round(&m, 0, 0, x), FIXED_EXACT);
  mpz_clear(integer);
  mpfr_clear(x);
  fixed_matrix_clear(&m);
}

/* No number, or none that fits: nothing is written. */
static void test_refuses(void **state) {
  (void)state;
  enum { DIGITS = 2, EXPONENT = -5 };
  static const double none[] = {NAN, INFINITY, -INFINITY};
  fixed_matrix m;
  mpfr_t x;
  mpz_t integer;
  mpz_init(integer);
  mpfr_init2(x, 200);
  init(&m, 1, 1, DIGITS, EXPONENT);
  mpfr_set_si(x, 3, MPFR_RNDN);
  assert_int_equal(fixed_matrix_round(&m, 0, 0, x), FIXED_EXACT);
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    mpfr_set_d(x, none[i], MPFR_RNDN);
    assert_int_equal(fixed_matrix_round(&m, 0, 0, x), FIXED_TOO_LONG);
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    mpfr_set_si_2exp(x, sign, FIXED_DIGIT_BITS * DIGITS + EXPONENT, MPFR_RNDN);
    assert_int_equal(fixed_matrix_round(&m, 0, 0, x), FIXED_TOO_LONG);
  }
  fixed_matrix_get(integer, &m, 0, 0);
  assert_int_equal(mpz_get_si(integer), 3 << 5);
  mpfr_set_si_2exp(x, 1, FIXED_DIGIT_BITS * DIGITS + EXPONENT, MPFR_RNDN);
  mpfr_nextbelow(x); /* half a unit more makes it too long */
  assert_int_equal(fixed_matrix_round(&m, 0, 0, x), FIXED_TOO_LONG);
  mpz_clear(integer);
  mpfr_clear(x);
  fixed_matrix_clear(&m);
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

enum { ROWS = 3, COLS = 4 };

/* Number (i, j) of x, by rows: i + j / 2^j, a multiple of 1/4 but for j = 3. */
static void fill(point *x) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) mpfr_set_d(x[i * COLS + j].v, i + ldexp(j, -j), MPFR_RNDN);
}

static void check_row(const fixed_matrix *m, size_t row, const point *x, size_t stride, size_t inexact) {
  mpz_t integer;
  mpfr_t back;
  size_t count = 0;
  mpz_init(integer);
  mpfr_init2(back, 53);
  for (size_t k = 0; k < m->cols; k++) {
    fixed_matrix_get(integer, m, row, k);
    mpfr_set_z_2exp(back, integer, m->exponent, MPFR_RNDN);
    count += mpfr_cmp(back, x[k * stride].v) != 0;
    mpfr_sub(back, back, x[k * stride].v, MPFR_RNDN);
    assert_true(fabs(mpfr_get_d(back, MPFR_RNDN)) <= ldexp(0.5, (int)m->exponent));
  }
  assert_int_equal(count, inexact);
  mpfr_clear(back);
  mpz_clear(integer);
}

/* Rows and columns of the same numbers, each with the count of its own. */
static void test_rows(void **state) {
  (void)state;
  point *const x = point_vec_new(ROWS * COLS, 53);
  assert_non_null(x);
  fill(x);
  fixed_matrix rows, columns;
  init(&rows, ROWS, COLS, 2, -2);
  init(&columns, COLS, ROWS, 2, -2);
  size_t inexact;
  for (size_t i = 0; i < ROWS; i++) {
    assert_true(fixed_matrix_round_row(&rows, i, x + i * COLS, 1, &inexact));
    assert_int_equal(inexact, 1); /* 3/8 */
    check_row(&rows, i, x + i * COLS, 1, inexact);
  }
  for (size_t j = 0; j < COLS; j++) {
    assert_true(fixed_matrix_round_row(&columns, j, x + j, COLS, &inexact));
    assert_int_equal(inexact, j == 3 ? ROWS : 0);
    check_row(&columns, j, x + j, COLS, inexact);
  }
  mpfr_set_inf(x[COLS + 2].v, 1);
  assert_false(fixed_matrix_round_row(&rows, 1, x + COLS, 1, &inexact));
  assert_true(fixed_matrix_round_row(&rows, 2, x + 2 * COLS, 1, &inexact));
  fixed_matrix_clear(&rows);
  fixed_matrix_clear(&columns);
  point_vec_free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rounds_to_nearest),
      cmocka_unit_test(test_rounds_tiny_numbers),
      cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
