/* largest_eigenvalue_upper assumes nothing of the factor that LAPACK proposes: this program puts its own
 * LAPACKE_dpotrf_work in LAPACK's place, and the bound must hold for any triangle whatever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "known_spectrum.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "random_source.h"

/* Turns the row-major lower triangle of M into the proposed L; false when it has none. */
typedef bool proposal(double *a, int n);

static proposal *propose;

lapack_int LAPACKE_dpotrf_work(int layout, char uplo, lapack_int n, double *a, lapack_int lda) {
  assert_int_equal(layout, LAPACK_COL_MAJOR);
  assert_int_equal(uplo, 'U');
  assert_int_equal(lda, n);
  return propose(a, n) ? 0 : 1;
}

static void upper_with(mpfr_t upper, proposal *p, spectrum *eigenvalue, int n, double guess) {
  double *g = malloc((size_t)n * (size_t)n * sizeof *g);
  assert_non_null(g);
  known_spectrum_matrix(g, n, eigenvalue);
  propose = p;
  assert_int_equal(largest_eigenvalue_upper(upper, g, n, guess, NULL, NULL), ATTCERT_OK);
  free(g);
}

/* ---- arbitrary triangles ----------------------------------------------------------------------------------------- */

static bool nothing(double *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) a[i * n + j] = 0;
  return true;
}

static bool not_a_number(double *a, int n) {
  a[n * n - 1] = NAN;
  return true;
}

static bool infinite(double *a, int n) {
  a[(n - 1) * n] = INFINITY;
  return true;
}

static bool untouched(double *a, int n) {
  (void)a, (void)n;
  return true;
}

static bool gaussian(double *a, int n) {
  random_source r = random_source_make(6, 0, (uint64_t)n);
  for (int i = 0; i < n; i++) random_fill_gaussian(a + i * n, (size_t)(i + 1), 1, &r);
  return true;
}

static bool none(double *a, int n) {
  a[0] = (double)n; /* a failed factorisation may leave anything in the triangle */
  return false;
}

/* Without pivoting and in plain loops; a negative pivot counts as 0, so that a factor is proposed for every M. */
static bool textbook(double *a, int n) {
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      const double pivot = a[j * n + j];
      a[i * n + j] = i == j ? sqrt(fmax(sum, 0)) : pivot > 0 ? sum / pivot : 0;
    }
  return true;
}

/* A good factor with one entry of the last row and one pivot changed. */
static bool damaged(double *a, int n) {
  textbook(a, n);
  a[(n - 1) * n] += 0.125;
  a[n / 2 * n + n / 2] *= 1 + 1e-4;
  return true;
}

static void check_triangles(mpfr_t upper, spectrum *eigenvalue, int n, double guess) {
  static proposal *const proposals[] = {nothing, not_a_number, infinite, untouched, gaussian, none, textbook, damaged};
  for (size_t p = 0; p < sizeof proposals / sizeof proposals[0]; p++) {
    upper_with(upper, proposals[p], eigenvalue, n, guess);
    if (mpfr_cmp_d(upper, KNOWN_LARGEST) < 0) fail_msg("n = %d, proposal %d, guess %g: too low", n, (int)p, guess);
  }
}

static void test_any_triangle(void **state) {
  (void)state;
  static const double guesses[] = {0.25, 0.75, 1 - 1e-9, 1 - 1e-12, 1, 1.5};
  static const int sides[] = {1, 2, 7, 30, 100};
  mpfr_t upper;
  mpfr_init2(upper, 53);
  for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++)
    for (size_t g = 0; g < sizeof guesses / sizeof guesses[0]; g++) {
      check_triangles(upper, spectrum_single, sides[s], guesses[g] * KNOWN_LARGEST);
      check_triangles(upper, spectrum_clustered, sides[s], guesses[g] * KNOWN_LARGEST);
    }
  mpfr_clear(upper);
}

/* A good factor gives a good bound; one entry that is off by 1/8 is paid for, in the last tile too. */
static void test_residual_is_measured(void **state) {
  (void)state;
  static const int sides[] = {30, 520};
  mpfr_t upper;
  mpfr_init2(upper, 53);
  for (int s = 0; s < 2; s++) {
    upper_with(upper, textbook, spectrum_single, sides[s], KNOWN_LARGEST);
    assert_true(mpfr_cmp_d(upper, KNOWN_LARGEST * (1 + 1e-10)) <= 0);
    upper_with(upper, damaged, spectrum_single, sides[s], KNOWN_LARGEST);
    assert_true(mpfr_cmp_d(upper, KNOWN_LARGEST + 0x1p-6) >= 0);
  }
  mpfr_clear(upper);
}

/* ---- a residual that rounding hides ------------------------------------------------------------------------------ */

/* Row n - 1 of L is (1, e, ..., e, 0) with e = 2^-27, the rest is the identity; G is tau^2 I - fl(L L^T) for tau^2 = 2.
 * In any order that adds the e^2 to 1 one by one, fl(L L^T) has 1 where L L^T has 1 + (n - 2) 2^-54: the computed
 * residual is 0, and yet M = fl(L L^T) is not positive semidefinite. Only the a-priori term gamma || |L| ||^2 makes up
 * for it. */
static const double small = 0x1p-27;
static double seen_diagonal;

static bool arrow(double *a, int n) {
  seen_diagonal = a[0];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) a[i * n + j] = i < n - 1 ? i == j : j == 0 ? 1 : j == n - 1 ? 0 : small;
  return true;
}

static double *new_arrow_matrix(int n) {
  double *g = calloc((size_t)n * (size_t)n, sizeof *g);
  assert_non_null(g);
  for (int i = 0; i < n; i++) {
    g[i * n + i] = 1;
    if (i < n - 1) g[i * n + n - 1] = i == 0 ? -1 : -small;
  }
  return g;
}

/* tau^2 as the certificate forms it from a guess. */
static double tau_squared(mpfr_t upper, int n, double guess) {
  double *g = new_arrow_matrix(n);
  propose = arrow;
  assert_int_equal(largest_eigenvalue_upper(upper, g, n, guess, NULL, NULL), ATTCERT_OK);
  free(g);
  return seen_diagonal + 1;
}

/* The eigenvalue is 1 + sqrt(1 + (n - 2) 2^-54), exceeding 2 by (n - 2) 2^-55 (1 - 2^-45). */
static void test_hidden_residual(void **state) {
  (void)state;
  const int n = 120; /* within one block of a GEMM, which would add the next one up apart */
  mpfr_t upper, truth;
  mpfr_init2(upper, 200);
  mpfr_init2(truth, 200);
  mpfr_set_ui_2exp(truth, (unsigned long)(n - 2), -54, MPFR_RNDD);
  mpfr_add_ui(truth, truth, 1, MPFR_RNDD);
  mpfr_sqrt(truth, truth, MPFR_RNDD);
  mpfr_add_ui(truth, truth, 1, MPFR_RNDD);
  double guess = 2 / (tau_squared(upper, n, 2) / 2);
  for (int step = 0; step < 8 && tau_squared(upper, n, guess) != 2; step++)
    guess = nextafter(guess, tau_squared(upper, n, guess) < 2 ? 4 : 0);
  assert_true(tau_squared(upper, n, guess) == 2);
  assert_true(mpfr_cmp(upper, truth) >= 0);
  assert_true(mpfr_cmp_d(upper, 2 * (1 + 1e-12)) <= 0);
  mpfr_clear(upper);
  mpfr_clear(truth);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_triangle),
      cmocka_unit_test(test_residual_is_measured),
      cmocka_unit_test(test_hidden_residual),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
