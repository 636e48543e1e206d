/* Norms through a Gram matrix: above LAPACK's singular value, by no more than six squarings leave. */
#include "linalg/norm/gram_norm.h"
#include "random_source.h"
#include "singular_value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 40 };

static void test_random(void **state) {
  (void)state;
  random_source r = random_source_make(3, 7, 0);
  for (int i = 0; i < 300; i++) {
    const int rows = random_integer(&r, 1, MOST), columns = random_integer(&r, 1, MOST);
    double a[MOST * MOST] = {0}, norm;
    random_fill_gaussian(a, (size_t)(rows * columns), ldexp(1.0, random_integer(&r, -200, 200)), &r);
    assert_int_equal(gram_norm_upper(&norm, a, rows, columns, 0.0, NULL), ATTCERT_OK);
    const double exact = largest_singular_value(a, rows, columns), side = rows < columns ? rows : columns;
    assert_true(norm >= exact * (1.0 - 1e-12) && norm <= exact * pow(side, 1.0 / 256.0) * (1.0 + 1e-9));
  }
}

/* Roundings of the entries come off as they should: a matrix whose entries are all off by so much. */
static void test_roundings(void **state) {
  const double a[4] = {1.0, 1.0, 1.0, 1.0};
  double norm;
  (void)state;
  assert_int_equal(gram_norm_upper(&norm, a, 2, 2, 0x1p40, NULL), ATTCERT_OK);
  assert_true(norm >= 2.0 * (1.0 + 0x1p-13) && norm <= 2.0 * pow(2.0, 1.0 / 256.0) * (1.0 + 0x1p-11));
}

static void test_not_finite(void **state) {
  const double nan[2] = {1.0, NAN}, infinite[2] = {1.0, INFINITY}, zero[2] = {0};
  double norm;
  (void)state;
  assert_int_equal(gram_norm_upper(&norm, nan, 1, 2, 0.0, NULL), ATTCERT_OK);
  assert_false(norm < INFINITY);
  assert_int_equal(gram_norm_upper(&norm, infinite, 2, 1, 0.0, NULL), ATTCERT_OK);
  assert_false(norm < INFINITY);
  assert_int_equal(gram_norm_upper(&norm, zero, 1, 2, 0.0, NULL), ATTCERT_OK);
  assert_true(norm <= 0x1p-250);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_roundings),
      cmocka_unit_test(test_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
