/* The bound of the largest eigenvalue from a factorisation in integers: the shift is the next integer, the bound at
 * least its terms and hardly more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "linalg/exact/gram_bound.h"

static void expect_shift(double tau2, long exponent, double expected) {
  mpfr_t x, scaled;
  mpz_t t;
  mpfr_inits2(128, x, scaled, (mpfr_ptr)NULL);
  mpz_init(t);
  mpfr_set_d(x, tau2, MPFR_RNDN);
  assert_true(gram_bound_shift(t, x, exponent, scaled));
  assert_int_equal(mpz_cmp_d(t, expected), 0);
  mpz_clear(t);
  mpfr_clears(x, scaled, (mpfr_ptr)NULL);
}

static void test_shift(void **state) {
  (void)state;
  expect_shift(0, 5, 0);
  expect_shift(3, 0, 3);
  expect_shift(3, 1, 2);
  expect_shift(3.25, -1, 7);
  expect_shift(0x1p-1074, 100, 1);
  expect_shift(0x1p+1000, 900, 0x1p+100);
}

/* No number, or a quotient beyond MPFR's numbers. */
static void test_no_shift(void **state) {
  (void)state;
  static const double none[] = {NAN, INFINITY, -INFINITY};
  mpfr_t x, scaled;
  mpz_t t;
  mpfr_inits2(64, x, scaled, (mpfr_ptr)NULL);
  mpz_init(t);
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    mpfr_set_d(x, none[i], MPFR_RNDN);
    assert_false(gram_bound_shift(t, x, 0, scaled));
  }
  mpfr_set_ui_2exp(x, 1, mpfr_get_emin(), MPFR_RNDN);
  assert_false(gram_bound_shift(t, x, 100, scaled));
  mpz_clear(t);
  mpfr_clears(x, scaled, (mpfr_ptr)NULL);
}

static void expect_bound(double tau2, long exponent, double residual, double error, double expected) {
  mpfr_t upper, x, r, e, unit;
  mpfr_inits2(64, upper, x, r, e, unit, (mpfr_ptr)NULL);
  mpfr_set_d(x, tau2, MPFR_RNDN);
  mpfr_set_d(r, residual, MPFR_RNDN);
  mpfr_set_d(e, error, MPFR_RNDN);
  gram_bound(upper, x, exponent, r, e, unit);
  assert_true(isnan(expected) ? mpfr_nan_p(upper) : mpfr_cmp_d(upper, expected) == 0);
  mpfr_set_d(e, 0x1p-300, MPFR_RNDN); /* far below the last bit: upward all the same */
  mpfr_set_d(r, residual, MPFR_RNDN);
  gram_bound(upper, x, exponent, r, e, unit);
  assert_true(mpfr_cmp_d(upper, tau2 + ldexp(1 + residual, (int)exponent)) > 0);
  mpfr_clears(upper, x, r, e, unit, (mpfr_ptr)NULL);
}

static void test_bound(void **state) {
  (void)state;
  expect_bound(10, 0, 0, 0, 11);
  expect_bound(10, 2, 3, 0.5, 26.5);
  expect_bound(1, -20, 0, 0, 1 + 0x1p-20);
  expect_bound(1, -20, 5, 0x1p-30, 1 + 6 * 0x1p-20 + 0x1p-30);
  expect_bound(1, 0, 0, NAN, NAN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shift),
      cmocka_unit_test(test_no_shift),
      cmocka_unit_test(test_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
