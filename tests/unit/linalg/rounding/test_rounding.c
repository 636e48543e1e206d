/* The directed bounds of rounding.h against exact rational numbers (GMP) and MPFR: never below the exact value, and
 * only a few units in the last place above the computed one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gmp.h>
#include <mpfr.h>

#include "exact_sum.h"
#include "linalg/rounding/rounding.h"
#include "random_source.h"

enum { CASES = 300, MAX_TERMS = 40 };

/* exact <= bound, and bound is no looser than the roundings explain. */
static void assert_bounds(double bound, const mpq_t exact, double computed, double roundings) {
  mpq_t b;
  mpq_init(b);
  mpq_set_d(b, bound);
  assert_true(mpq_cmp(exact, b) <= 0);
  assert_true(bound <= computed * (1 + (roundings + 5) * 0x1p-52) + (roundings + 2) * 0x1p-1074);
  mpq_clear(b);
}

/* An inner product of n terms takes one rounding a product and n - 1 additions: n on the way of any term. */
static void check_inner_product(random_source *r, int low, int high) {
  const int n = random_integer(r, 1, MAX_TERMS);
  mpq_t exact;
  mpq_init(exact);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double x = random_magnitude(r, low, high), y = random_magnitude(r, low, high);
    sum += x * y;
    exact_add_product(exact, x, y);
  }
  assert_bounds(round_up_nonnegative(sum, n), exact, sum, n);
  mpq_clear(exact);
}

static void test_inner_products(void **state) {
  (void)state;
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(1, 0, index);
    check_inner_product(&r, -3, 3);
    check_inner_product(&r, -300, 300);
    check_inner_product(&r, -560, -510); /* products among the subnormal numbers, or below them */
  }
}

/* 1 + u + u + ... stays 1: every rounding loses all it can. */
static void test_worst_case_of_summation(void **state) {
  (void)state;
  for (int n = 1; n <= 1 << 20; n *= 4) {
    double sum = 1;
    for (int i = 0; i < n; i++) sum += UNIT_ROUNDOFF;
    assert_true(sum == 1);
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, 1 + n * UNIT_ROUNDOFF);
    assert_bounds(round_up_nonnegative(sum, n), exact, sum, n);
    mpq_clear(exact);
  }
}

/* n products that vanish one by one, 2^-1076 to 2^-1075 each. */
static void test_worst_case_of_underflow(void **state) {
  (void)state;
  for (int n = 1; n <= 1000; n *= 10) {
    double sum = 0;
    mpq_t exact;
    mpq_init(exact);
    for (int i = 0; i < n; i++) {
      sum += 0x1p-537 * 0x1p-538;
      exact_add_product(exact, 0x1p-537, 0x1p-538);
    }
    assert_true(sum == 0);
    assert_bounds(round_up_nonnegative(sum, n), exact, sum, n);
    mpq_clear(exact);
  }
}

static void test_nothing_finite_is_claimed_of_what_is_not_a_number(void **state) {
  (void)state;
  assert_true(isinf(round_up_nonnegative(INFINITY, 1)));
  assert_false(round_up_nonnegative(NAN, 1) < INFINITY);
  assert_true(isinf(round_up_nonnegative(1, 0x1p60)));
  assert_true(isinf(round_up_nonnegative(1, NAN)));
  assert_true(isinf(round_up_nonnegative(1.7e308, 0x1p50)));
}

/* ---- gamma ------------------------------------------------------------------------------------------------------- */

static void test_gamma(void **state) {
  (void)state;
  static const double count[] = {1, 2, 3, 64, 1000, 1e6, 0x1p30, 0x1p40, 0x1p51, 0x1.8p51};
  mpfr_t exact, below;
  mpfr_inits2(300, exact, below, (mpfr_ptr)NULL);
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
    mpfr_set_d(exact, count[i], MPFR_RNDN);
    mpfr_div_2ui(exact, exact, 53, MPFR_RNDN);
    mpfr_ui_sub(below, 1, exact, MPFR_RNDN); /* exact at 300 bits */
    mpfr_div(exact, exact, below, MPFR_RNDN);
    const double gamma = gamma_upper(count[i]);
    assert_true(mpfr_cmp_d(exact, gamma) <= 0);
    assert_true(gamma <= mpfr_get_d(exact, MPFR_RNDN) * (1 + 0x1p-48));
  }
  mpfr_clears(exact, below, (mpfr_ptr)NULL);
  assert_true(isinf(gamma_upper(0x1p52)) && isinf(gamma_upper(0x1p60)) && isinf(gamma_upper(NAN)));
}

/* ---- norms ------------------------------------------------------------------------------------------------------- */

static void check_norm(random_source *r, int low, int high) {
  enum { STRIDE = 3 };
  double x[MAX_TERMS * STRIDE];
  const int n = random_integer(r, 1, MAX_TERMS);
  mpq_t squares, bound;
  mpq_inits(squares, bound, NULL);
  for (int i = 0; i < n * STRIDE; i++) x[i] = random_magnitude(r, low, high) * (random_chance(r, 0.5) ? -1 : 1);
  for (int i = 0; i < n; i++) exact_add_product(squares, x[i * STRIDE], x[i * STRIDE]);
  const double norm = norm_upper_strided(x, (size_t)n, STRIDE);
  exact_add_product(bound, norm, norm);
  assert_true(mpq_cmp(squares, bound) <= 0);
  const double exact = sqrt(mpq_get_d(squares));
  assert_true(norm <= exact * (1 + (n + 8) * 0x1p-52) + 0x1p-530);
  mpq_clears(squares, bound, NULL);
}

static void test_norms(void **state) {
  (void)state;
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(2, 0, index);
    check_norm(&r, -2, 2);
    check_norm(&r, -200, 200);
    check_norm(&r, -545, -530); /* squares below the subnormal numbers */
  }
}

static void test_norm_of_extremes(void **state) {
  (void)state;
  const double large[] = {1e200, 1e200}, bad[] = {1, NAN, 1}, zero[] = {0, 0};
  assert_true(isinf(norm_upper(large, 2)));
  assert_false(norm_upper(bad, 3) < INFINITY);
  assert_true(norm_upper(bad, 1) < 1.001);
  assert_true(norm_upper(zero, 2) < 1e-150);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inner_products),
      cmocka_unit_test(test_worst_case_of_summation),
      cmocka_unit_test(test_worst_case_of_underflow),
      cmocka_unit_test(test_nothing_finite_is_claimed_of_what_is_not_a_number),
      cmocka_unit_test(test_gamma),
      cmocka_unit_test(test_norms),
      cmocka_unit_test(test_norm_of_extremes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
