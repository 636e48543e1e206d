/* The error of a Gram matrix of rounded entries: at least its formula in exact numbers, and hardly more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linalg/exact/gram_rounding.h"

enum { ENTRIES = 4 };

/* ||A||_F = scale sqrt(1 + 4 + 4 + 16) = 5 scale. */
static void expect_error(double scale, size_t inexact, long exponent, double expected) {
  static const double entries[ENTRIES] = {1, -2, 2, 4};
  point *const a = point_vec_new(ENTRIES, 53);
  mpfr_t error, deviation, t;
  assert_non_null(a);
  mpfr_inits2(64, error, deviation, t, (mpfr_ptr)NULL);
  for (size_t i = 0; i < ENTRIES; i++) mpfr_set_d(a[i].v, scale * entries[i], MPFR_RNDN);
  gram_rounding_error(error, a, ENTRIES, inexact, exponent, deviation, t);
  assert_true(mpfr_cmp_d(error, expected) >= 0);
  assert_true(mpfr_cmp_d(error, expected * (1 + 0x1p-52)) <= 0);
  mpfr_clears(error, deviation, t, (mpfr_ptr)NULL);
  point_vec_free(a);
}

/* d = 2^(exponent - 1) sqrt(inexact): (2 * 5 scale + d) d. */
static void test_formula(void **state) {
  (void)state;
  expect_error(1, 0, 0, 0);
  expect_error(1, 1, 1, 11);
  expect_error(1, 4, 0, 11);
  expect_error(1, 9, 2, 16 * 6);
  expect_error(0x1p-100, 4, -100, 0x1p-200 * 11);
  expect_error(0, 4, -100, 0x1p-200);
  expect_error(0x1p+400, 1, 1, 0x1p+400 * 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_formula)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
