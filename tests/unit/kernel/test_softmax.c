/* The softmax row: a probability vector, exact where it is known, unmoved by shifts, finite for any finite scores. */
#include "kernel/row/softmax.h"
#include "random_source.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 40, CASES = 300 };

static int draw(double *s, int index, int exponent) {
  random_source r = random_source_make(3, 0, (uint64_t)index);
  const int n = random_integer(&r, 1, MAX);
  random_fill_gaussian(s, (size_t)n, ldexp(1, exponent), &r);
  return n;
}

/* Each entry is off by a few roundings: its exp, the sum of n, the quotient, and the shift's effect on the score. */
static void test_definition(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    double s[MAX], p[MAX];
    const int n = draw(s, index, index % 5);
    memcpy(p, s, sizeof p);
    softmax_row(p, n);
    for (int j = 0; j < n; j++) {
      long double sum = 0;
      for (int t = 0; t < n; t++) sum += expl((long double)s[t] - s[j]);
      assert_true(fabsl(p[j] * sum - 1) < 256 * DBL_EPSILON);
    }
  }
}

static void test_sums_to_one(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    double p[MAX], sum = 0;
    const int n = draw(p, index, index % 12);
    softmax_row(p, n);
    for (int j = 0; j < n; j++) {
      assert_true(p[j] >= 0);
      sum += p[j];
    }
    assert_true(fabs(sum - 1) <= n * DBL_EPSILON);
  }
}

/* Scores and shift are multiples of 2^-10 below 2^40: the shifted scores are exact, so the results are equal to the
 * bit. */
static void test_shift_invariance(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    double p[MAX], shifted[MAX];
    const int n = draw(p, index, 2);
    for (int j = 0; j < n; j++) {
      p[j] = ldexp(round(ldexp(p[j], 10)), -10);
      shifted[j] = p[j] + ldexp(index - CASES / 2, 30);
    }
    softmax_row(p, n);
    softmax_row(shifted, n);
    assert_memory_equal(p, shifted, (size_t)n * sizeof(double));
  }
}

static void test_ties(void **state) {
  (void)state;
  for (int n = 1; n <= MAX; n++) {
    double p[MAX];
    for (int j = 0; j < n; j++) p[j] = -17.25;
    softmax_row(p, n);
    for (int j = 0; j < n; j++) assert_true(p[j] == 1.0 / n);
  }
}

static void test_single_score_is_one(void **state) {
  (void)state;
  const double scores[] = {0, -0.0, 1e300, -1e300, DBL_MIN, -DBL_MAX};
  for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++) {
    double p[] = {scores[i]};
    softmax_row(p, 1);
    assert_true(p[0] == 1);
  }
}

/* Scores that overflow exp: the largest one takes all, ties share it. */
static void test_huge_scores(void **state) {
  (void)state;
  double p[] = {1e9, -1e9, 1e300, 0, 1e300, -1e300};
  softmax_row(p, 6);
  const double expected[] = {0, 0, 0.5, 0, 0.5, 0};
  for (int j = 0; j < 6; j++) assert_true(p[j] == expected[j]);
}

static void test_order_is_kept(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    double s[MAX], p[MAX];
    const int n = draw(s, index, 1);
    memcpy(p, s, sizeof p);
    softmax_row(p, n);
    for (int j = 1; j < n; j++) assert_true(s[j - 1] <= s[j] ? p[j - 1] <= p[j] : p[j - 1] >= p[j]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_definition),       cmocka_unit_test(test_sums_to_one),
      cmocka_unit_test(test_shift_invariance), cmocka_unit_test(test_ties),
      cmocka_unit_test(test_huge_scores),      cmocka_unit_test(test_single_score_is_one),
      cmocka_unit_test(test_order_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
