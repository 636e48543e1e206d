/* |x| < 2^exponent(x) <= 2 |x|, a value of its own for zero, and scaling by powers of two at both ends of the range. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "interval/interval_set.h"
#include "linalg/rounding/binary_exponent.h"
#include "random_source.h"

static void assert_exponent(double x, long e) {
  assert_true(fabs(scale_double(x, -e)) < 1);
  assert_true(fabs(scale_double(x, -e)) >= 0.5);
}

static void test_doubles(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 200; index++) {
    random_source r = random_source_make(3, 0, index);
    double x[5];
    for (int i = 0; i < 5; i++) x[i] = random_magnitude(&r, -1074, 1000) * (i % 2 ? 1 : -1);
    double largest = 0;
    for (int i = 0; i < 5; i++) largest = fmax(largest, fabs(x[i]));
    assert_exponent(largest, exponent_of_doubles(x, 5));
  }
  const double zero[] = {0, -0.0}, least = 0x1p-1074, most = 0x1.fffffffffffffp1023;
  assert_true(exponent_of_doubles(zero, 2) == EXPONENT_OF_ZERO);
  assert_int_equal(exponent_of_doubles(&least, 1), -1073);
  assert_int_equal(exponent_of_doubles(&most, 1), 1024);
}

static void test_intervals(void **state) {
  (void)state;
  interval a;
  interval_init(&a, 64);
  assert_true(exponent_of_interval(&a) == EXPONENT_OF_ZERO);
  interval_set_d(&a, -5);
  assert_int_equal(exponent_of_interval(&a), 3);
  mpfr_set_ui(a.hi, 1, MPFR_RNDU); /* [-5, 1]: the larger end counts */
  assert_int_equal(exponent_of_interval(&a), 3);
  mpfr_set_zero(a.lo, 1); /* [0, 1] */
  assert_int_equal(exponent_of_interval(&a), 1);
  interval_clear(&a);
}

/* The product is below the power of the product's exponent, and zero absorbs. */
static void test_products(void **state) {
  (void)state;
  assert_true(exponent_product(EXPONENT_OF_ZERO, 7) == EXPONENT_OF_ZERO);
  assert_true(exponent_product(-7, EXPONENT_OF_ZERO) == EXPONENT_OF_ZERO);
  assert_int_equal(exponent_product(-3, 10), 7);
  assert_int_equal(exponent_max(EXPONENT_OF_ZERO, -100000), -100000);
  assert_int_equal(exponent_max(3, -2), 3);
}

static void test_scaling(void **state) {
  (void)state;
  assert_true(scale_double(3, 1000) == 3 * 0x1p1000);
  assert_true(scale_double(0x1p-1074, 2000) == 0x1p926);
  assert_true(scale_double(1, -1074) == 0x1p-1074);
  assert_true(scale_double(1, 1000000000000) == INFINITY && scale_double(-1, -1000000000000) == 0);
  assert_true(scale_double(0, -EXPONENT_OF_ZERO) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_doubles),
      cmocka_unit_test(test_intervals),
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_scaling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
