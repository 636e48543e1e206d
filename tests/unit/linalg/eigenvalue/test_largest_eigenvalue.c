/* largest_eigenvalue_upper on matrices whose largest eigenvalue is known, with sides below, at and above its panels of
 * 256 columns: never below the truth, close to it for a good guess, and no worse than a row sum for a bad one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known_spectrum.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"

/* Only the upper triangle is looked at: what the strict lower one holds must not matter. */
static double *new_matrix(spectrum *eigenvalue, int n) {
  double *g = malloc((size_t)n * (size_t)n * sizeof *g);
  assert_non_null(g);
  known_spectrum_matrix(g, n, eigenvalue);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) g[(size_t)i * (size_t)n + (size_t)j] = NAN;
  return g;
}

static void upper_of(mpfr_t upper, double *g, int n, double guess) {
  assert_int_equal(largest_eigenvalue_upper(upper, g, n, guess, NULL, NULL), ATTCERT_OK);
}

/* ---- known spectra ----------------------------------------------------------------------------------------------- */

static void check_guess(int family, int n, double guess, double limit) {
  double *g = new_matrix(KNOWN_SPECTRUM[family], n);
  mpfr_t upper;
  mpfr_init2(upper, 64);
  upper_of(upper, g, n, guess);
  if (mpfr_cmp_d(upper, KNOWN_LARGEST) < 0) fail_msg("family %d, n = %d, guess %a: too low", family, n, guess);
  if (mpfr_cmp_d(upper, limit) > 0) fail_msg("family %d, n = %d, guess %a: loose", family, n, guess);
  mpfr_clear(upper);
  free(g);
}

static double row_sum_of(int family, int n) {
  double *g = malloc((size_t)n * (size_t)n * sizeof *g);
  assert_non_null(g);
  known_spectrum_matrix(g, n, KNOWN_SPECTRUM[family]);
  const double sum = known_spectrum_row_sum(g, n);
  free(g);
  return sum;
}

/* A guess that is right to eleven digits gives ten; a wrong one costs its own distance, or at most a row sum. */
static void test_known_spectra(void **state) {
  (void)state;
  static const int sides[] = {1, 2, 3, 4, 17, 63, 100};
  static const double good[] = {1, 1 - 1e-11, 1 + 1e-11};
  const double bad[] = {0.9, 0.5, 1.5, 1e-9, 1e9, 0, -1, NAN, INFINITY};
  for (int family = 0; family < KNOWN_SPECTRA; family++)
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
      const double row_sum = row_sum_of(family, sides[s]) * (1 + 1e-12);
      for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        check_guess(family, sides[s], KNOWN_LARGEST * good[i], KNOWN_LARGEST * (1 + 1e-10));
      for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_guess(family, sides[s], KNOWN_LARGEST * bad[i], i < 3 ? fmin(row_sum, 1.9 * KNOWN_LARGEST) : row_sum);
    }
}

/* A failed factorisation has a direction in which G exceeds the shift: however bad a guess from below, the bound is as
 * sharp as one from a good guess, for matrices without negative eigenvalues and with them. */
static void test_guess_is_improved(void **state) {
  (void)state;
  static const int sides[] = {1, 2, 17, 100, 257, 600};
  static const double guesses[] = {1 - 1e-9, 0.9, 0.5, 1e-9, 0, -1, NAN};
  for (int family = 0; family < KNOWN_SPECTRA; family++)
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++)
      for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++)
        check_guess(family, sides[s], KNOWN_LARGEST * guesses[i], KNOWN_LARGEST * (1 + 1e-10));
}

/* A last row alone in its panel, after one and after four full ones. */
static void test_sides_around_the_panel(void **state) {
  (void)state;
  enum { INDEFINITE = 3, CLUSTERED = 2 };
  check_guess(CLUSTERED, 256, KNOWN_LARGEST, KNOWN_LARGEST * (1 + 1e-10));
  check_guess(INDEFINITE, 257, KNOWN_LARGEST, KNOWN_LARGEST * (1 + 1e-10));
  check_guess(CLUSTERED, 1025, KNOWN_LARGEST, KNOWN_LARGEST * (1 + 1e-10));
}

static void test_one_by_one(void **state) {
  (void)state;
  static const double values[] = {0, 1, 3, 0x1p-1060, 0x1p-500, 1e300, -1};
  mpfr_t upper;
  mpfr_init2(upper, 53);
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    double g = values[i];
    upper_of(upper, &g, 1, fabs(values[i]));
    assert_true(mpfr_cmp_d(upper, values[i]) >= 0);
    assert_true(mpfr_cmp_d(upper, fabs(values[i]) * (1 + 1e-10) + 0x1p-1060) <= 0);
  }
  mpfr_clear(upper);
}

static double zero(int i, int n) {
  (void)i, (void)n;
  return 0;
}

static void test_zero(void **state) {
  (void)state;
  double *g = new_matrix(zero, 30);
  mpfr_t upper;
  mpfr_init2(upper, 53);
  upper_of(upper, g, 30, 0);
  assert_true(mpfr_sgn(upper) >= 0 && mpfr_cmp_d(upper, 1e-300) <= 0);
  mpfr_clear(upper);
  free(g);
}

/* ---- contract ---------------------------------------------------------------------------------------------------- */

/* Not a number anywhere in the upper triangle: no bound, whatever LAPACK makes of it. */
static void test_no_number_no_bound(void **state) {
  (void)state;
  static const int place[][2] = {{0, 0}, {0, 39}, {17, 18}, {39, 39}};
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  mpfr_t upper;
  mpfr_init2(upper, 53);
  for (int p = 0; p < 4; p++)
    for (int b = 0; b < 3; b++) {
      double *g = new_matrix(spectrum_single, 40);
      g[place[p][0] * 40 + place[p][1]] = bad[b];
      upper_of(upper, g, 40, KNOWN_LARGEST);
      assert_true(mpfr_inf_p(upper) && mpfr_sgn(upper) > 0);
      free(g);
    }
  mpfr_clear(upper);
}

static const panel_storage in_memory = {0};

/* A source that counts: the factor overwrites what it wrote. */
typedef struct {
  const double *g;
  int fills;
} counted_source;

static attcert_status fill_counted(void *context, const panels *lower, attcert_error *err) {
  counted_source *const s = context;
  (void)err;
  s->fills++;
  panels_put_transposed(lower, 0, lower->n, 0, lower->n, s->g, (size_t)lower->n);
  return ATTCERT_OK;
}

/* A guess 1e-8 too low fails a few times; the last attempt must see the matrix, not what the earlier ones left. */
static void test_filled_at_every_attempt(void **state) {
  (void)state;
  const int n = 300;
  double *g = new_matrix(spectrum_clustered, n);
  counted_source counted = {g, 0};
  const symmetric_source source = {n, fill_counted, NULL, &counted};
  mpfr_t upper;
  mpfr_init2(upper, 53);
  assert_int_equal(
      largest_eigenvalue_upper_of_source(upper, &source, KNOWN_LARGEST * (1 - 1e-8), &in_memory, NULL, NULL),
      ATTCERT_OK);
  assert_true(counted.fills > 2);
  assert_true(mpfr_cmp_d(upper, KNOWN_LARGEST) >= 0 && mpfr_cmp_d(upper, KNOWN_LARGEST * (1 + 2e-7)) <= 0);
  mpfr_clear(upper);
  free(g);
}

static attcert_status fill_fails(void *context, const panels *lower, attcert_error *err) {
  (void)context, (void)lower;
  return attcert_fail(err, ATTCERT_RESOURCE, "no matrix today");
}

static void test_source_fails(void **state) {
  (void)state;
  const symmetric_source source = {7, fill_fails, NULL, NULL};
  attcert_error err;
  mpfr_t upper;
  mpfr_init2(upper, 53);
  assert_int_equal(largest_eigenvalue_upper_of_source(upper, &source, 1.0, &in_memory, NULL, &err), ATTCERT_RESOURCE);
  assert_true(mpfr_inf_p(upper) && mpfr_sgn(upper) > 0);
  mpfr_clear(upper);
}

/* The bound is rounded up to few bits, not down. */
static void test_result_precision(void **state) {
  (void)state;
  mpfr_t upper;
  mpfr_init2(upper, 8);
  double *g = new_matrix(spectrum_single, 11);
  upper_of(upper, g, 11, KNOWN_LARGEST);
  assert_true(mpfr_cmp_d(upper, KNOWN_LARGEST) > 0 && mpfr_cmp_d(upper, KNOWN_LARGEST + 0.25) <= 0);
  mpfr_clear(upper);
  free(g);
}

static int record_progress(void *context, const char *stage, double done) {
  double *const last = context;
  assert_true(strlen(stage) > 0);
  assert_true(done >= *last && done <= 1);
  *last = done;
  return 0;
}

static void test_progress_line(void **state) {
  (void)state;
  double last = 0, *g = new_matrix(spectrum_single, 530);
  attcert_options options;
  attcert_options_default(&options);
  options.progress = record_progress;
  options.progress_context = &last;
  mpfr_t upper;
  mpfr_init2(upper, 53);
  assert_int_equal(largest_eigenvalue_upper(upper, g, 530, KNOWN_LARGEST, &options, NULL), ATTCERT_OK);
  assert_true(last == 1);
  mpfr_clear(upper);
  free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_spectra),
      cmocka_unit_test(test_guess_is_improved),
      cmocka_unit_test(test_sides_around_the_panel),
      cmocka_unit_test(test_one_by_one),
      cmocka_unit_test(test_zero),
      cmocka_unit_test(test_no_number_no_bound),
      cmocka_unit_test(test_filled_at_every_attempt),
      cmocka_unit_test(test_result_precision),
      cmocka_unit_test(test_progress_line),
      cmocka_unit_test(test_source_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
