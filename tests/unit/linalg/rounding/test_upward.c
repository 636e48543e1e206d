/* The certificate's last sums against exact rational numbers (GMP): never below the exact value, and close above it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gmp.h>
#include <math.h>

#include "exact_sum.h"
#include "linalg/rounding/norm_upward.h"
#include "linalg/rounding/relative_width.h"
#include "linalg/rounding/sum_upward.h"
#include "random_source.h"

enum { CASES = 300, TERMS = 12, PRECISION = 64 };

static double term(random_source *r) {
  return random_chance(r, 0.1) ? 0.0 : random_magnitude(r, -60, 60);
}

/* exact <= bound <= (1 + 2^-slack) exact */
static void assert_just_above(mpfr_srcptr bound, const mpq_t exact, int slack) {
  mpq_t found, limit;
  mpq_inits(found, limit, NULL);
  mpfr_get_q(found, bound);
  assert_true(mpq_cmp(exact, found) <= 0);
  mpq_div_2exp(limit, exact, (mp_bitcnt_t)slack);
  mpq_add(limit, limit, exact);
  assert_true(mpq_cmp(found, limit) <= 0);
  mpq_clears(found, limit, NULL);
}

/* The same for the square root of exact. */
static void assert_just_above_root(mpfr_srcptr bound, const mpq_t exact, int slack) {
  mpfr_t square;
  mpfr_init2(square, 4 * PRECISION);
  mpfr_sqr(square, bound, MPFR_RNDN); /* exact */
  assert_just_above(square, exact, slack - 1);
  mpfr_clear(square);
}

static void sums_are_bounded_from_above(void **state) {
  (void)state;
  mpfr_t rows[TERMS], root, doubles, squares, t;
  mpq_t sum, sum_of_squares;
  mpq_inits(sum, sum_of_squares, NULL);
  mpfr_inits2(PRECISION, root, doubles, squares, t, (mpfr_ptr)NULL);
  for (int i = 0; i < TERMS; i++) mpfr_init2(rows[i], PRECISION);
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(1, 0, index);
    const int n = random_integer(&r, 0, TERMS);
    double x[TERMS];
    point *const p = point_vec_new(TERMS, PRECISION);
    const double first = term(&r);
    mpq_set_d(sum, first);
    mpq_set(sum_of_squares, sum);
    for (int i = 0; i < n; i++) {
      x[i] = term(&r);
      exact_add_product(sum, x[i], 1);
      exact_add_product(sum_of_squares, x[i], x[i]);
      mpfr_set_d(rows[i], x[i], MPFR_RNDN);
    }
    point_vec_set_d(p, x, (size_t)n);
    mpfr_set_d(doubles, first, MPFR_RNDN);
    sum_upward_doubles(doubles, x, (size_t)n);
    assert_just_above(doubles, sum, 58);
    mpfr_set_d(squares, first, MPFR_RNDN);
    sum_upward_squares(squares, p, (size_t)n, t);
    assert_just_above(squares, sum_of_squares, 57);
    exact_add_product(sum, -first, 1);
    sum_upward_root(root, rows, n);
    assert_just_above_root(root, sum, 57);
    point_vec_free(p);
  }
  for (int i = 0; i < TERMS; i++) mpfr_clear(rows[i]);
  mpfr_clears(root, doubles, squares, t, (mpfr_ptr)NULL);
  mpq_clears(sum, sum_of_squares, NULL);
}

/* (sqrt(l + e) + r) 2^k with both forms; l + e is a square, so that the exact value is rational. */
static void norms_are_bounded_from_above(void **state) {
  (void)state;
  mpfr_t norm, radius;
  mpfr_inits2(PRECISION, norm, radius, (mpfr_ptr)NULL);
  mpq_t exact;
  mpq_init(exact);
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(2, 0, index);
    const double root = random_integer(&r, 1, 1 << 26), e = random_integer(&r, 0, 1), x = random_magnitude(&r, -60, 0);
    const int exponent = random_integer(&r, -200, 200);
    mpq_set_d(exact, root);
    exact_add_product(exact, x, 1);
    mpfr_set_d(norm, root * root - e, MPFR_RNDN); /* exact */
    norm_upward_from_scaled_eigenvalue(norm, e, x, exponent);
    mpfr_mul_2si(norm, norm, -exponent, MPFR_RNDN);
    assert_just_above(norm, exact, 61);
    mpfr_set_d(norm, root * root - e, MPFR_RNDN);
    mpfr_set_d(radius, x, MPFR_RNDN);
    norm_upward_add_and_scale(norm, e, 0);
    norm_upward_from_eigenvalue(norm, radius);
    assert_just_above(norm, exact, 61);
  }
  mpq_clear(exact);
  mpfr_clears(norm, radius, (mpfr_ptr)NULL);
}

static void products_are_bounded_from_above(void **state) {
  (void)state;
  mpfr_t x, y;
  mpfr_inits2(PRECISION, x, y, (mpfr_ptr)NULL);
  mpq_t exact;
  mpq_init(exact);
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(3, 0, index);
    const double a = term(&r), b = term(&r);
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_set_d(y, b, MPFR_RNDN);
    mpq_set_ui(exact, 0, 1);
    exact_add_product(exact, a, b);
    norm_upward_multiply(x, y);
    assert_just_above(x, exact, 60);
  }
  mpq_clear(exact);
  mpfr_clears(x, y, (mpfr_ptr)NULL);
}

static void widths_are_bounded_from_above(void **state) {
  (void)state;
  mpfr_t lower, upper, width;
  mpfr_inits2(PRECISION, lower, upper, width, (mpfr_ptr)NULL);
  mpq_t exact, q;
  mpq_inits(exact, q, NULL);
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(4, 0, index);
    const double high = random_magnitude(&r, -60, 60), low = high * (1 - random_magnitude(&r, -50, -1));
    mpfr_set_d(lower, low, MPFR_RNDN);
    mpfr_set_d(upper, high, MPFR_RNDN);
    mpfr_set_d(width, relative_width(lower, upper), MPFR_RNDN);
    mpq_set_d(exact, high);
    exact_add_product(exact, -low, 1);
    mpq_set_d(q, high);
    mpq_div(exact, exact, q);
    assert_just_above(width, exact, 51);
  }
  mpfr_set_zero(lower, 1);
  mpfr_set_zero(upper, 1);
  assert_true(relative_width(lower, upper) == 0);
  mpfr_set_inf(upper, 1);
  assert_true(isinf(relative_width(lower, upper)));
  mpq_clears(exact, q, NULL);
  mpfr_clears(lower, upper, width, (mpfr_ptr)NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_bounded_from_above),
      cmocka_unit_test(norms_are_bounded_from_above),
      cmocka_unit_test(products_are_bounded_from_above),
      cmocka_unit_test(widths_are_bounded_from_above),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
