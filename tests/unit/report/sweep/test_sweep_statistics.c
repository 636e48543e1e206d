/* The power law of a sweep, on data that follow one exactly, and medians. */
#include "report/sweep/sweep_statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 60 };

static void init_rows(sweep_row rows[ROWS]) {
  for (int i = 0; i < ROWS; i++) sweep_row_init(&rows[i]);
}

static void clear_rows(sweep_row rows[ROWS]) {
  for (int i = 0; i < ROWS; i++) sweep_row_clear(&rows[i]);
}

/* Two rows of each length 2, 4, ..., 60: constant n^exponent times, and divided by, 1 + i spread. The two factors'
 * logarithms cancel, so least squares must return the constant and the exponent for every spread. */
static void set_power_law(sweep_row rows[ROWS], double constant, double exponent, double spread) {
  for (int i = 0; i < ROWS; i++) {
    const double factor = 1 + (i / 2) * spread;
    rows[i].n = 2 + 2 * (i / 2);
    const double value = constant * pow(rows[i].n, exponent);
    mpfr_set_d(rows[i].lower, i % 2 == 0 ? value * factor : value / factor, MPFR_RNDN);
  }
}

static void test_power_laws(void **state) {
  (void)state;
  static const struct {
    double constant, exponent, spread;
  } cases[] = {{0.445, 0.25, 0}, {25, 0.51, 0.03}, {1e-200, 0.5, 0}, {1e200, -1, 0}, {3, 0, 0.1}, {1, 2, 0.5}};
  sweep_row rows[ROWS];
  init_rows(rows);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sweep_fit fit;
    set_power_law(rows, cases[i].constant, cases[i].exponent, cases[i].spread);
    assert_true(sweep_fit_lower(&fit, rows, ROWS));
    assert_int_equal(fit.count, ROWS);
    assert_true(fabs(fit.exponent - cases[i].exponent) < 1e-12);
    assert_true(fabs(fit.constant / cases[i].constant - 1) < 1e-12);
  }
  clear_rows(rows);
}

/* Three points that no power law meets: the normal equations by hand. x = 0, 1, 2 and y = 0, 0, 3 (in units of ln 2)
 * give the line y = 3/2 x - 1/2. */
static void test_least_squares(void **state) {
  (void)state;
  static const double lower[] = {1, 1, 8};
  sweep_row rows[ROWS];
  sweep_fit fit;
  init_rows(rows);
  for (int i = 0; i < 3; i++) {
    rows[i].n = 1 << i;
    mpfr_set_d(rows[i].lower, lower[i], MPFR_RNDN);
  }
  assert_true(sweep_fit_lower(&fit, rows, 3));
  assert_true(fabs(fit.exponent - 1.5) < 1e-14 && fabs(fit.constant - sqrt(0.5)) < 1e-14);
  clear_rows(rows);
}

static void test_rows_without_logarithm(void **state) {
  (void)state;
  sweep_row rows[ROWS];
  sweep_fit fit;
  init_rows(rows);
  set_power_law(rows, 2, 0.5, 0);
  mpfr_set_zero(rows[7].lower, 1);
  mpfr_set_str(rows[9].lower, "1e+400", 10, MPFR_RNDN);
  assert_true(sweep_fit_lower(&fit, rows, ROWS));
  assert_int_equal(fit.count, ROWS - 2);
  assert_true(fabs(fit.exponent - 0.5) < 1e-12);
  assert_false(sweep_fit_lower(&fit, rows, 2)); /* one length */
  assert_false(sweep_fit_lower(&fit, rows, 0));
  for (int i = 2; i < ROWS; i++) mpfr_set_zero(rows[i].lower, 1);
  assert_false(sweep_fit_lower(&fit, rows, ROWS)); /* one length is left */
  clear_rows(rows);
}

static void test_median(void **state) {
  (void)state;
  double odd[] = {3, 1e9, 1}, even[] = {4, 1, 2, 1e9}, one[] = {7};
  assert_true(sweep_median(odd, 3) == 3);
  assert_true(sweep_median(even, 4) == 3);
  assert_true(sweep_median(one, 1) == 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_power_laws),
      cmocka_unit_test(test_least_squares),
      cmocka_unit_test(test_rows_without_logarithm),
      cmocka_unit_test(test_median),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
