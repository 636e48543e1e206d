/* Cholesky factorisation with remainder: t I - G = L L^T + R to the last bit, R as small as promised, its norm rounded
 * upward; and the matrices that have no factor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "known_spectrum.h"
#include "linalg/exact/integer_cholesky_curvature.h"
#include "random_mpz.h"

enum { MAX_SIDE = 50 };

static size_t index_of(size_t i, size_t j) {
  return i * (i + 1) / 2 + j;
}

static void gram_init(fixed_matrix *g, size_t n, size_t digits) {
  assert_true(fixed_matrix_init(g, index_of(n, 0), 1, 2 * digits, 0));
}

/* A matrix B B^T, its entries of `bits` bits or less, so that it is positive semidefinite with eigenvalues of all
 * sizes. */
static void random_gram(fixed_matrix *g, size_t n, size_t digits, size_t bits, random_source *r) {
  fixed_matrix b;
  mpz_t x;
  mpz_init(x);
  assert_true(fixed_matrix_init(&b, n, n, digits, 0));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      random_mpz(x, bits, r);
      fixed_matrix_set(&b, i, j, x);
    }
  gram_init(g, n, digits);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      fixed_matrix_dot(x, &b, i, &b, j, n);
      fixed_matrix_set(g, index_of(i, j), 0, x);
    }
  mpz_clear(x);
  fixed_matrix_clear(&b);
}

/* tr(G) >= lambda_max(G). */
static void trace(mpz_ptr t, const fixed_matrix *g, size_t n) {
  mpz_t x;
  mpz_init(x);
  mpz_set_ui(t, 0);
  for (size_t i = 0; i < n; i++) {
    fixed_matrix_get(x, g, index_of(i, i), 0);
    mpz_add(t, t, x);
  }
  mpz_clear(x);
}

/* r := (t I - G - L L^T)_ij, j <= i. */
static void remainder_of(mpz_ptr r, const integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t, size_t i,
                         size_t j) {
  mpz_t x, y;
  mpz_inits(x, y, NULL);
  fixed_matrix_get(r, g, index_of(i, j), 0);
  mpz_neg(r, r);
  if (i == j) mpz_add(r, r, t);
  for (size_t k = 0; k <= j; k++) {
    fixed_matrix_get(x, &f->l, i, k);
    fixed_matrix_get(y, &f->l, j, k);
    mpz_submul(r, x, y);
  }
  mpz_clears(x, y, NULL);
}

/* |r_ij| <= l_jj / 2, 0 <= r_jj <= 2 l_jj. */
static void assert_small(mpz_srcptr r, const integer_cholesky *f, size_t i, size_t j) {
  mpz_t pivot, twice;
  mpz_inits(pivot, twice, NULL);
  fixed_matrix_get(pivot, &f->l, j, j);
  assert_true(mpz_sgn(pivot) > 0);
  mpz_mul_2exp(pivot, pivot, i == j ? 1 : 0);
  mpz_mul_2exp(twice, r, i == j ? 0 : 1);
  assert_true(mpz_cmpabs(twice, pivot) <= 0 && (i > j || mpz_sgn(r) >= 0));
  mpz_clears(pivot, twice, NULL);
}

/* ||R||_F^2 <= residual^2 <= ||R||_F^2 (1 + 2^-50), for the R of the definition. */
static void check_residual(mpfr_srcptr residual, const integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t) {
  mpz_t r, squares;
  mpfr_t square;
  mpz_inits(r, squares, NULL);
  mpfr_init2(square, 128); /* exact for the square of 64 bits */
  for (size_t i = 0; i < f->l.rows; i++)
    for (size_t j = 0; j <= i; j++) {
      remainder_of(r, f, g, t, i, j);
      assert_small(r, f, i, j);
      mpz_addmul(squares, r, r);
      if (i > j) mpz_addmul(squares, r, r);
    }
  mpfr_sqr(square, residual, MPFR_RNDN);
  assert_true(mpfr_cmp_z(square, squares) >= 0);
  mpfr_div_d(square, square, 1 + 0x1p-50, MPFR_RNDN);
  assert_true(mpfr_cmp_z(square, squares) <= 0);
  mpz_clears(r, squares, NULL);
  mpfr_clear(square);
}

/* w^T G w >= t w^T w for the direction of the pivot that is not positive. */
static void check_curvature(const integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t) {
  const size_t n = f->l.rows;
  double w[MAX_SIDE], form = 0, square = 0;
  mpz_t x;
  mpz_init(x);
  assert_true(integer_cholesky_curvature(w, f));
  for (size_t i = 0; i < n; i++) {
    square += w[i] * w[i];
    for (size_t j = 0; j <= i; j++) {
      fixed_matrix_get(x, g, index_of(i, j), 0);
      form += (i == j ? 1 : 2) * w[i] * w[j] * mpz_get_d(x);
    }
  }
  assert_true(square >= 1 && form >= square * mpz_get_d(t) * (1 - 1e-10));
  mpz_clear(x);
}

/* Sides around the width of a block; a factor is used again, also after a failure, on any number of threads. */
static void test_identity(void **state) {
  (void)state;
  static const size_t sides[] = {1, 2, 3, 15, 16, 17, 32, 33, MAX_SIDE};
  for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++)
    for (size_t digits = 1; digits <= 3; digits++) {
      const size_t n = sides[s];
      random_source r = random_source_make(71, s, digits);
      fixed_matrix g;
      integer_cholesky f;
      mpz_t t, gap;
      mpfr_t residual;
      mpz_inits(t, gap, NULL);
      mpfr_init2(residual, 64);
      random_gram(&g, n, digits, FIXED_DIGIT_BITS * digits - 14, &r);
      assert_int_equal(integer_cholesky_init(&f, n, digits, NULL), ATTCERT_OK);
      for (int threads = 1; threads <= 3; threads++) {
        trace(t, &g, n);
        mpz_fdiv_q_2exp(gap, t, (mp_bitcnt_t)(10 * threads));
        mpz_add(t, t, gap);
        mpz_add_ui(t, t, 1); /* for the zero matrix */
        assert_true(integer_cholesky_residual(residual, &f, &g, t, threads));
        assert_false(integer_cholesky_curvature(NULL, &f));
        check_residual(residual, &f, &g, t);
        mpz_fdiv_q_ui(t, t, 2 * n); /* below the mean of the eigenvalues */
        assert_false(integer_cholesky_residual(residual, &f, &g, t, threads));
        check_curvature(&f, &g, t);
      }
      integer_cholesky_clear(&f);
      fixed_matrix_clear(&g);
      mpz_clears(t, gap, NULL);
      mpfr_clear(residual);
    }
}

/* G = V^2 2^40 with eigenvalues (v 2^20)^2, 49 2^40 the largest. The factor exists just above it and does not well
 * below it; wherever it exists, t + ||R||_F is an upper bound. */
static void test_known_spectra(void **state) {
  (void)state;
  enum { SIDE = 21 };
  double v[SIDE * SIDE];
  for (int family = 0; family < KNOWN_SPECTRA; family++) {
    fixed_matrix b, g;
    integer_cholesky f;
    mpz_t x, t;
    mpfr_t residual;
    mpz_inits(x, t, NULL);
    mpfr_init2(residual, 64);
    known_spectrum_matrix(v, SIDE, KNOWN_SPECTRUM[family]);
    assert_true(fixed_matrix_init(&b, SIDE, SIDE, 2, 0));
    for (size_t i = 0; i < SIDE * SIDE; i++) {
      mpz_set_d(x, ldexp(v[i], 50)); /* an integer: v has a few bits below the point */
      fixed_matrix_set(&b, i / SIDE, i % SIDE, x);
    }
    gram_init(&g, SIDE, 2);
    for (size_t i = 0; i < SIDE; i++)
      for (size_t j = 0; j <= i; j++) {
        fixed_matrix_dot(x, &b, i, &b, j, SIDE);
        fixed_matrix_set(&g, index_of(i, j), 0, x);
      }
    assert_int_equal(integer_cholesky_init(&f, SIDE, 2, NULL), ATTCERT_OK);
    for (int step = -60; step <= 60; step++) {
      mpz_set_ui(x, KNOWN_LARGEST * KNOWN_LARGEST);
      mpz_mul_2exp(x, x, 100);
      const int size = abs(step), sign = (step > 0) - (step < 0);
      mpz_set_ui(t, (unsigned long)(size > 0));
      mpz_mul_2exp(t, t, (mp_bitcnt_t)size);
      if (sign < 0) mpz_neg(t, t);
      mpz_add(t, t, x);
      const bool positive = integer_cholesky_residual(residual, &f, &g, t, 2);
      if (step >= 58) assert_true(positive);
      if (step <= -58) assert_false(positive);
      if (!positive) continue;
      mpz_sub(x, x, t);
      assert_true(mpfr_cmp_z(residual, x) >= 0);
    }
    integer_cholesky_clear(&f);
    fixed_matrix_clear(&b);
    fixed_matrix_clear(&g);
    mpz_clears(x, t, NULL);
    mpfr_clear(residual);
  }
}

/* ---- no factor --------------------------------------------------------------------------------------------------- */

/* [[t - 1, c], [c, 0]], t = 2^100: pivot 1, and beside it -c. */
static bool has_factor(long log_of_c, bool negative_corner, size_t digits) {
  fixed_matrix g;
  integer_cholesky f;
  mpz_t x, t;
  mpfr_t residual;
  mpz_inits(x, t, NULL);
  mpfr_init2(residual, 64);
  gram_init(&g, 2, digits);
  mpz_setbit(t, 100);
  mpz_sub_ui(x, t, 1);
  if (negative_corner) mpz_add_ui(x, x, 1);
  fixed_matrix_set(&g, index_of(0, 0), 0, x);
  mpz_set_ui(x, 0);
  mpz_setbit(x, (mp_bitcnt_t)log_of_c);
  fixed_matrix_set(&g, index_of(1, 0), 0, x);
  assert_int_equal(integer_cholesky_init(&f, 2, digits, NULL), ATTCERT_OK);
  const bool positive = integer_cholesky_residual(residual, &f, &g, t, 1);
  integer_cholesky_clear(&f);
  fixed_matrix_clear(&g);
  mpz_clears(x, t, NULL);
  mpfr_clear(residual);
  return positive;
}

/* A pivot that is 0, one that is negative, an entry with more digits than there is room for. */
static void test_no_factor(void **state) {
  (void)state;
  assert_true(has_factor(49, false, 1));
  assert_false(has_factor(50, false, 1)); /* last pivot 2^100 - 2^100 */
  assert_false(has_factor(51, false, 1)); /* negative */
  assert_false(has_factor(80, false, 1)); /* too long for one digit */
  assert_false(has_factor(80, false, 2));
  assert_false(has_factor(10, true, 2)); /* first pivot 0 */
}

/* Neither the factor nor the rows' squares have a number of bytes that fits. */
static void test_out_of_memory(void **state) {
  (void)state;
  integer_cholesky f;
  assert_int_equal(integer_cholesky_init(&f, (size_t)1 << 62, 1, NULL), ATTCERT_RESOURCE);
  integer_cholesky_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_identity),
      cmocka_unit_test(test_known_spectra),
      cmocka_unit_test(test_no_factor),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
