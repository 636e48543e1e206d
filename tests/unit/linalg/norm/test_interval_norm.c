/* The norm of a matrix of intervals: contains that of every matrix in it, of any magnitude. */
#include <stdio.h> /* before mpfr.h, for its printf */

#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/norm/interval_norm.h"
#include "linalg/norm/matrix_norm.h"
#include "random_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PRECISION = 128, MAX_SIDE = 5 };

/* Random intervals about Gaussian midpoints; the matrix `inside` is one of those they hold. */
static void random_matrix(interval *a, double *inside, int count, double radius, int exponent, random_source *r) {
  for (int i = 0; i < count; i++) {
    const double mid = random_gaussian(r), left = radius * random_uniform(r, 0.0, 1.0);
    const double right = radius * random_uniform(r, 0.0, 1.0);
    mpfr_set_d(a[i].lo, mid - left, MPFR_RNDD);
    mpfr_set_d(a[i].hi, mid + right, MPFR_RNDU);
    mpfr_mul_2si(a[i].lo, a[i].lo, exponent, MPFR_RNDD);
    mpfr_mul_2si(a[i].hi, a[i].hi, exponent, MPFR_RNDU);
    inside[i] = random_chance(r, 0.5) ? mid - left : mid + right;
  }
}

static void contains(void **state) {
  (void)state;
  static const double radii[] = {0.0, 1e-30, 1e-9, 0.3};
  static const int exponents[] = {0, -3000, 3000, 100000};
  interval *const a = interval_vec_new(MAX_SIDE * MAX_SIDE, PRECISION);
  interval norm, expected;
  interval_init(&norm, PRECISION);
  interval_init(&expected, PRECISION);
  random_source r = random_source_make(5, 1, 0);
  for (int trial = 0; trial < 400; trial++) {
    double inside[MAX_SIDE * MAX_SIDE];
    const int rows = random_integer(&r, 1, MAX_SIDE), cols = random_integer(&r, 1, MAX_SIDE);
    const double radius = radii[trial % 4];
    const int exponent = exponents[trial / 4 % 4];
    random_matrix(a, inside, rows * cols, radius, exponent, &r);
    assert_int_equal(interval_matrix_norm(&norm, a, rows, cols, NULL), ATTCERT_OK);
    assert_int_equal(matrix_norm(expected.lo, expected.hi, inside, rows, cols, 0.0, NULL), ATTCERT_OK);
    mpfr_mul_2si(expected.lo, expected.lo, exponent, MPFR_RNDD);
    mpfr_mul_2si(expected.hi, expected.hi, exponent, MPFR_RNDU);
    assert_true(mpfr_lessequal_p(norm.lo, expected.hi) && mpfr_greaterequal_p(norm.hi, expected.lo));
    mpfr_sub(norm.hi, norm.hi, norm.lo, MPFR_RNDU);
    mpfr_mul_2si(norm.hi, norm.hi, -exponent, MPFR_RNDU);
    assert_true(mpfr_get_d(norm.hi, MPFR_RNDU) <= 2.0 * radius * MAX_SIDE + 1e-10); /* and little more */
  }
  interval_clear(&expected);
  interval_clear(&norm);
  interval_vec_free(a);
}

/* Zeros have norm 0; an entry that may be anything, any norm; no entries, norm 0. */
static void limits(void **state) {
  (void)state;
  interval *const a = interval_vec_new(4, PRECISION);
  interval norm;
  interval_init(&norm, PRECISION);
  assert_int_equal(interval_matrix_norm(&norm, a, 2, 2, NULL), ATTCERT_OK);
  assert_true(mpfr_zero_p(norm.lo) && mpfr_zero_p(norm.hi));
  assert_int_equal(interval_matrix_norm(&norm, a, 0, 0, NULL), ATTCERT_OK);
  assert_true(mpfr_zero_p(norm.lo) && mpfr_zero_p(norm.hi));
  interval_set_whole(&a[2]);
  assert_int_equal(interval_matrix_norm(&norm, a, 2, 2, NULL), ATTCERT_OK);
  assert_true(mpfr_zero_p(norm.lo) && mpfr_inf_p(norm.hi));
  interval_clear(&norm);
  interval_vec_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(contains), cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
