/* matrix_norm encloses norms that are known exactly, for every shape, over the whole range of double, and with an
 * error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "known_spectrum.h"
#include "linalg/norm/matrix_norm.h"

/* lo <= norm 2^exponent <= hi, and hi - lo <= looseness times that. */
static void assert_encloses(const double *a, int rows, int cols, double norm, long exponent, double looseness) {
  mpfr_t lo, hi, truth, width;
  mpfr_inits2(100, lo, hi, truth, width, (mpfr_ptr)NULL);
  assert_int_equal(matrix_norm(lo, hi, a, rows, cols, 0, NULL), ATTCERT_OK);
  mpfr_set_d(truth, norm, MPFR_RNDN);
  mpfr_mul_2si(truth, truth, exponent, MPFR_RNDN);
  assert_true(mpfr_lessequal_p(lo, truth) && mpfr_lessequal_p(truth, hi));
  mpfr_sub(width, hi, lo, MPFR_RNDU);
  mpfr_mul_d(truth, truth, looseness, MPFR_RNDN);
  assert_true(mpfr_lessequal_p(width, truth));
  mpfr_clears(lo, hi, truth, width, (mpfr_ptr)NULL);
}

/* [[3, 4], [-4, 3]] beside itself: norm 5 sqrt(copies), exact for a square number of copies. */
static void test_small_matrices(void **state) {
  (void)state;
  const double one[] = {-7}, rotation[] = {3, 4, -4, 3}, row[] = {3, 0, 4, 12}, pair[] = {4, 3, 3, 4};
  const double wide[] = {3, 4, 3, 4, 3, 4, 3, 4, -4, 3, -4, 3, -4, 3, -4, 3};
  assert_encloses(one, 1, 1, 7, 0, 1e-12);
  assert_encloses(rotation, 2, 2, 5, 0, 1e-12);
  assert_encloses(row, 1, 4, 13, 0, 1e-12);
  assert_encloses(row, 4, 1, 13, 0, 1e-12);
  assert_encloses(pair, 2, 2, 7, 0, 1e-12);
  assert_encloses(wide, 2, 8, 10, 0, 1e-12);
}

static void test_long_matrices(void **state) {
  (void)state;
  enum { LONG = 900, SHORT = 4 }; /* ones: norm sqrt(3600) = 60 */
  double *a = malloc(LONG * SHORT * sizeof *a);
  assert_non_null(a);
  for (int i = 0; i < LONG * SHORT; i++) a[i] = 1;
  assert_encloses(a, SHORT, LONG, 60, 0, 1e-10);
  assert_encloses(a, LONG, SHORT, 60, 0, 1e-10);
  free(a);
}

/* 1 and many 2^-27: their squares, added to 1 one by one, are all rounded away; ||a||^2 = 1 + (LONG - 1) 2^-54. */
static void test_vanishing_terms(void **state) {
  (void)state;
  enum { LONG = 20000 };
  double *a = malloc(LONG * sizeof *a);
  mpfr_t lo, hi, truth;
  assert_non_null(a);
  mpfr_inits2(100, lo, hi, truth, (mpfr_ptr)NULL);
  for (int i = 0; i < LONG; i++) a[i] = i == 0 ? 1 : 0x1p-27;
  mpfr_set_ui_2exp(truth, LONG - 1, -54, MPFR_RNDN);
  mpfr_add_ui(truth, truth, 1, MPFR_RNDN);
  mpfr_sqrt(truth, truth, MPFR_RNDD);
  assert_int_equal(matrix_norm(lo, hi, a, 1, LONG, 0, NULL), ATTCERT_OK);
  assert_true(mpfr_lessequal_p(lo, truth) && mpfr_lessequal_p(truth, hi));
  assert_int_equal(matrix_norm(lo, hi, a, LONG, 1, 0, NULL), ATTCERT_OK);
  assert_true(mpfr_lessequal_p(lo, truth) && mpfr_lessequal_p(truth, hi));
  mpfr_clears(lo, hi, truth, (mpfr_ptr)NULL);
  free(a);
}

static void test_known_spectra(void **state) {
  (void)state;
  enum { SIDE = 90 };
  double *a = malloc(SIDE * SIDE * sizeof *a);
  assert_non_null(a);
  for (int family = 0; family < KNOWN_SPECTRA; family++) {
    known_spectrum_matrix(a, SIDE, KNOWN_SPECTRUM[family]);
    assert_encloses(a, SIDE, SIDE, KNOWN_LARGEST, 0, 1e-10);
  }
  free(a);
}

static void test_any_magnitude(void **state) {
  (void)state;
  static const int exponents[] = {-1074, -1060, -1000, -540, -500, 500, 540, 1000, 1020};
  for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
    const double s = ldexp(1, exponents[e]), rotation[] = {3 * s, 4 * s, -4 * s, 3 * s};
    assert_encloses(rotation, 2, 2, 5, exponents[e], 1e-12);
  }
}

/* One huge entry, the others gone when it is scaled to 1: they are paid for. */
static void test_mixed_magnitudes(void **state) {
  (void)state;
  const double diagonal[] = {1e300, 0, 0, 1e-300}, small[] = {0x1p-1074, 0, 0, 0};
  assert_encloses(diagonal, 2, 2, 1e300, 0, 1e-12);
  assert_encloses(small, 2, 2, 0x1p-1074, 0, 1e-12);
}

static void test_zero(void **state) {
  (void)state;
  const double zero[6] = {0};
  assert_encloses(zero, 2, 3, 0, 0, 0);
}

/* The enclosure of every matrix within `error` of the rotation: [5 - error, 5 + error], from 0 at least. */
static void check_error(double error, double least, double most) {
  const double rotation[] = {3, 4, -4, 3};
  mpfr_t lo, hi;
  mpfr_inits2(100, lo, hi, (mpfr_ptr)NULL);
  assert_int_equal(matrix_norm(lo, hi, rotation, 2, 2, error, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp_d(lo, least) <= 0 && mpfr_cmp_d(lo, least - 1e-11) >= 0 && mpfr_sgn(lo) >= 0);
  assert_true(mpfr_cmp_d(hi, most) >= 0 && (isinf(most) || mpfr_cmp_d(hi, most + 1e-11) <= 0));
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
}

static void test_error(void **state) {
  (void)state;
  check_error(0, 5, 5);
  check_error(2, 3, 7);
  check_error(6, 0, 11);
  check_error(INFINITY, 0, INFINITY);
}

/* Twelve bits: both ends go outward. */
static void test_result_precision(void **state) {
  (void)state;
  const double rotation[] = {3, 4, -4, 3};
  mpfr_t lo, hi;
  mpfr_inits2(12, lo, hi, (mpfr_ptr)NULL);
  assert_int_equal(matrix_norm(lo, hi, rotation, 2, 2, 0x1p-30, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp_d(lo, 5 - 0x1p-30) <= 0 && mpfr_cmp_d(lo, 4.9) >= 0);
  assert_true(mpfr_cmp_d(hi, 5 + 0x1p-30) >= 0 && mpfr_cmp_d(hi, 5.1) <= 0);
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_matrices),
      cmocka_unit_test(test_long_matrices),
      cmocka_unit_test(test_vanishing_terms),
      cmocka_unit_test(test_known_spectra),
      cmocka_unit_test(test_any_magnitude),
      cmocka_unit_test(test_mixed_magnitudes),
      cmocka_unit_test(test_zero),
      cmocka_unit_test(test_error),
      cmocka_unit_test(test_result_precision),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
