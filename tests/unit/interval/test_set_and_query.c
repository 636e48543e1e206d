/* Setters and questions, on the values their headers name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval_relation.h"

typedef struct {
  interval a, b;
} two;

static int setup(void **state) {
  static two t;
  interval_init(&t.a, 53);
  interval_init(&t.b, 53);
  *state = &t;
  return 0;
}

static int teardown(void **state) {
  two *const t = *state;
  interval_clear(&t->a);
  interval_clear(&t->b);
  return 0;
}

static void set(interval *x, double lo, double hi) {
  mpfr_set_d(x->lo, lo, MPFR_RNDD);
  mpfr_set_d(x->hi, hi, MPFR_RNDU);
}

static void test_initial_value_is_zero(void **state) {
  const two *const t = *state;
  assert_true(mpfr_zero_p(t->a.lo) && mpfr_zero_p(t->a.hi));
}

static void test_doubles_that_are_no_numbers_claim_nothing(void **state) {
  two *const t = *state;
  const double x[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    interval_set_d(&t->a, x[i]);
    assert_true(interval_relation_whole(&t->a));
    mpfr_set_d(t->b.lo, x[i], MPFR_RNDN);
    interval_set_fr(&t->a, t->b.lo);
    assert_true(interval_relation_whole(&t->a));
  }
}

/* 2^53 + 1 needs 54 bits. */
static void test_rounding_is_outward(void **state) {
  two *const t = *state;
  interval_set_si(&t->a, (1L << 53) + 1);
  assert_true(mpfr_cmp_d(t->a.lo, 0x1p53) == 0 && mpfr_cmp_d(t->a.hi, 0x1p53 + 2) == 0);
  mpfr_set_prec(t->b.lo, 10);
  mpfr_set_prec(t->b.hi, 10);
  interval_set_d(&t->b, 0.1);
  assert_true(mpfr_cmp_d(t->b.lo, 0.1) < 0 && mpfr_cmp_d(t->b.hi, 0.1) > 0);
}

static void test_own_endpoint_as_value(void **state) {
  two *const t = *state;
  set(&t->a, 1, 2);
  interval_set_fr(&t->a, t->a.hi);
  assert_true(mpfr_cmp_d(t->a.lo, 2) == 0 && mpfr_cmp_d(t->a.hi, 2) == 0);
}

static void test_kinds(void **state) {
  two *const t = *state;
  interval_set_empty(&t->a);
  assert_true(interval_is_empty(&t->a) && !interval_is_bounded(&t->a));
  assert_false(interval_contains_zero(&t->a));
  interval_set_whole(&t->a);
  assert_true(interval_relation_whole(&t->a) && !interval_is_empty(&t->a) && !interval_is_bounded(&t->a));
  assert_true(interval_contains_zero(&t->a));
  set(&t->a, NAN, -1);
  assert_true(interval_relation_whole(&t->a) && interval_has_nan(&t->a) && interval_contains_zero(&t->a));
  assert_true(!interval_is_empty(&t->a) && !interval_is_bounded(&t->a));
  set(&t->a, -0.0, 0.0);
  assert_true(interval_is_bounded(&t->a) && interval_contains_zero(&t->a));
}

static void test_relations(void **state) {
  two *const t = *state;
  set(&t->a, 1, 2);
  set(&t->b, 2, 3);
  assert_false(interval_certainly_less(&t->a, &t->b));
  assert_true(interval_certainly_less_equal(&t->a, &t->b));
  assert_false(interval_certainly_less_equal(&t->b, &t->a));
  assert_false(interval_disjoint(&t->a, &t->b));
  set(&t->b, 2.5, 3);
  assert_true(interval_certainly_less(&t->a, &t->b) && interval_disjoint(&t->b, &t->a));
}

/* "For all" is true of nothing, and a NaN endpoint stands for every number. */
static void test_relations_of_special_intervals(void **state) {
  two *const t = *state;
  set(&t->a, 1, 2);
  interval_set_empty(&t->b);
  assert_true(interval_certainly_less(&t->a, &t->b) && interval_certainly_less(&t->b, &t->a));
  assert_true(interval_disjoint(&t->a, &t->b));
  set(&t->b, NAN, 0);
  assert_false(interval_certainly_less(&t->b, &t->a) || interval_certainly_less_equal(&t->b, &t->a));
  assert_false(interval_disjoint(&t->a, &t->b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_initial_value_is_zero, setup, teardown),
      cmocka_unit_test_setup_teardown(test_doubles_that_are_no_numbers_claim_nothing, setup, teardown),
      cmocka_unit_test_setup_teardown(test_rounding_is_outward, setup, teardown),
      cmocka_unit_test_setup_teardown(test_own_endpoint_as_value, setup, teardown),
      cmocka_unit_test_setup_teardown(test_kinds, setup, teardown),
      cmocka_unit_test_setup_teardown(test_relations, setup, teardown),
      cmocka_unit_test_setup_teardown(test_relations_of_special_intervals, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
