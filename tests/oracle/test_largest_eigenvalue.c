/* The certified bounds of plain matrices against the spectral oracle: clustered and repeated eigenvalues, guesses that
 * are wrong in the last place or altogether, magnitudes near both ends of the range of double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "enclosure_verdict.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "linalg/norm/matrix_norm.h"
#include "random_source.h"
#include "spectral_oracle.h"

enum { PRECISION = 512, CASES = 150, MAX_SIDE = 70 };

typedef struct {
  arf_t lower, upper;
} norm_bounds;

static void norm_bounds_init(norm_bounds *b, const double *a, int rows, int cols) {
  arb_mat_t m;
  arf_init(b->lower);
  arf_init(b->upper);
  arb_mat_init(m, rows, cols);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) arb_set_d(arb_mat_entry(m, i, j), a[i * cols + j]);
  assert_true(spectral_oracle(b->lower, b->upper, m, PRECISION));
  arb_mat_clear(m);
}

static void norm_bounds_clear(norm_bounds *b) {
  arf_clear(b->lower);
  arf_clear(b->upper);
}

/* x < y, or x > y; x is certified, y the oracle's. */
static int compare(mpfr_srcptr x, const arf_t y) {
  arf_t value;
  arf_init(value);
  arf_set_mpfr(value, x);
  const int order = arf_cmp(value, y);
  arf_clear(value);
  return order;
}

/* Gaussian; orthogonal-like clusters; rank one; diagonal with equal entries; small integers. */
static void random_matrix(double *a, int rows, int cols, random_source *r) {
  const int kind = random_integer(r, 0, 4), size = rows * cols;
  random_fill_gaussian(a, (size_t)size, 1, r);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      double *x = &a[i * cols + j];
      if (kind == 1) *x = (i == j) + ldexp(*x, -random_integer(r, 20, 50));
      if (kind == 2 && i > 0) *x = a[j] * (i + 1);
      if (kind == 3) *x = i == j ? 3 : 0;
      if (kind == 4) *x = rint(*x);
    }
}

/* ---- matrix_norm ------------------------------------------------------------------------------------------------- */

static void assert_matrix_norm(double *a, int rows, int cols, random_source *r) {
  mpfr_t lo, hi;
  norm_bounds exact;
  mpfr_inits2(64, lo, hi, (mpfr_ptr)NULL);
  norm_bounds_init(&exact, a, rows, cols);
  assert_int_equal(matrix_norm(lo, hi, a, rows, cols, 0, NULL), ATTCERT_OK);
  assert_true(compare(lo, exact.upper) <= 0);
  assert_true(compare(hi, exact.lower) >= 0);
  assert_true(enclosure_width(lo, hi) <= 1e-10);

  /* With an error: room for it on both sides. */
  const double error = arf_get_d(exact.upper, ARF_RND_UP) * random_uniform(r, 0, 1.5);
  assert_int_equal(matrix_norm(lo, hi, a, rows, cols, error, NULL), ATTCERT_OK);
  arf_t end;
  arf_init(end);
  arf_set_d(end, error);
  arf_add(end, exact.lower, end, PRECISION, ARF_RND_DOWN);
  assert_true(compare(hi, end) >= 0);
  arf_set_d(end, error);
  arf_sub(end, exact.upper, end, PRECISION, ARF_RND_UP);
  assert_true(mpfr_sgn(lo) <= 0 || compare(lo, end) <= 0);
  arf_clear(end);
  norm_bounds_clear(&exact);
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
}

static void test_matrix_norm(void **state) {
  (void)state;
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(61, 0, index);
    const int rows = random_integer(&r, 1, 12), cols = random_integer(&r, 1, 12);
    static const int exponents[] = {0, -600, 600, 1000, -1000};
    double a[144];
    random_matrix(a, rows, cols, &r);
    const int exponent = exponents[random_integer(&r, 0, 4)];
    for (int i = 0; i < rows * cols; i++) a[i] = ldexp(a[i], exponent);
    assert_matrix_norm(a, rows, cols, &r);
  }
}

/* Norms of overflowing sums, and of subnormal entries. */
static void test_matrix_norm_at_the_ends_of_range(void **state) {
  (void)state;
  double large[9], small[6] = {0x1p-1074, 0, 0x1p-1073, -0x1p-1074, 0x1p-1072, 0}, zero[4] = {0};
  random_source r = random_source_make(62, 0, 0);
  for (int i = 0; i < 9; i++) large[i] = 0x1p1023;
  assert_matrix_norm(small, 2, 3, &r);
  assert_matrix_norm(zero, 2, 2, &r);
  mpfr_t lo, hi;
  norm_bounds exact;
  mpfr_inits2(64, lo, hi, (mpfr_ptr)NULL);
  norm_bounds_init(&exact, large, 3, 3);
  assert_int_equal(matrix_norm(lo, hi, large, 3, 3, 0, NULL), ATTCERT_OK);
  assert_true(compare(lo, exact.upper) <= 0 && compare(hi, exact.lower) >= 0);
  norm_bounds_clear(&exact);
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
}

/* ---- largest_eigenvalue_upper ------------------------------------------------------------------------------------ */

/* g (n x n) = A A^T rounded, symmetric. */
static void random_gram(double *g, int n, random_source *r) {
  double *a = calloc((size_t)(n * n), sizeof *a);
  assert_non_null(a);
  random_matrix(a, n, n, r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int c = 0; c < n; c++) sum += a[i * n + c] * a[j * n + c];
      g[i * n + j] = g[j * n + i] = sum;
    }
  free(a);
}

/* The norm of a positive semidefinite G, rounded, is its largest eigenvalue. */
static void assert_upper(const double *g, int n, double guess, const norm_bounds *exact) {
  mpfr_t upper;
  attcert_options options;
  attcert_options_default(&options);
  options.threads = 1;
  mpfr_init2(upper, 64);
  assert_int_equal(largest_eigenvalue_upper(upper, g, n, guess, &options, NULL), ATTCERT_OK);
  if (compare(upper, exact->lower) < 0) fail_msg("n = %d, guess %a: below the largest eigenvalue", n, guess);
  mpfr_clear(upper);
}

/* Guesses below, at and above the truth; those just below make the factorisation succeed on a matrix that is not
 * positive definite, which only the residual's terms make up for. */
static void test_largest_eigenvalue(void **state) {
  (void)state;
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(63, 0, index);
    const int n = index % 10 == 0 ? MAX_SIDE : random_integer(&r, 1, 12);
    double *g = calloc((size_t)(n * n), sizeof *g);
    assert_non_null(g);
    random_gram(g, n, &r);
    norm_bounds exact;
    norm_bounds_init(&exact, g, n, n);
    const double top = arf_get_d(exact.upper, ARF_RND_UP);
    for (int ulps = -64; ulps <= 64; ulps += 4) assert_upper(g, n, top * (1 - 1e-12 + ulps * 0x1p-53), &exact);
    const double wild[] = {0, top / 2, top * 0.999, top * (1 - 1e-9), top, top * (1 + 1e-6), 3 * top};
    for (int i = 0; i < 7; i++) assert_upper(g, n, wild[i], &exact);
    norm_bounds_clear(&exact);
    free(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matrix_norm),
      cmocka_unit_test(test_matrix_norm_at_the_ends_of_range),
      cmocka_unit_test(test_largest_eigenvalue),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
