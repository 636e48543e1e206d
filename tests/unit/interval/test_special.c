/* What the headers say of special operands: empty, unbounded and NaN, and division by intervals that hold 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval_relation.h"

#define INF INFINITY
enum { PRECISION = 53 };

/* An interval as a test writes it: NAN and INF are endpoints like others. */
typedef struct {
  double lo, hi;
} ends;

static const ends EMPTY = {INF, -INF}, WHOLE = {-INF, INF};

static void interval_init_ends(interval *x, ends e) {
  interval_init(x, PRECISION);
  mpfr_set_d(x->lo, e.lo, MPFR_RNDD);
  mpfr_set_d(x->hi, e.hi, MPFR_RNDU);
}

/* A NaN is no end (and mpfr_cmp_d takes it for equal). */
static void assert_ends(const interval *x, ends e) {
  if (!interval_has_nan(x) && mpfr_cmp_d(x->lo, e.lo) == 0 && mpfr_cmp_d(x->hi, e.hi) == 0) return;
  char text[256];
  mpfr_snprintf(text, sizeof text, "[%Rg, %Rg]", x->lo, x->hi);
  fail_msg("%s, expected [%g, %g]", text, e.lo, e.hi);
}

/* ---- operations by shape ----------------------------------------------------------------------------------------- */

typedef void unary(interval *r, const interval *a);
typedef void binary(interval *r, const interval *a, const interval *b);
typedef void binary_scratch(interval *r, const interval *a, const interval *b, interval_scratch *ws);

static void sqr(interval *r, const interval *a) {
  interval_scratch ws;
  interval_scratch_init(&ws, PRECISION);
  interval_sqr(r, a, &ws);
  interval_scratch_clear(&ws);
}

static void with_scratch(binary_scratch *f, interval *r, const interval *a, const interval *b) {
  interval_scratch ws;
  interval_scratch_init(&ws, PRECISION);
  f(r, a, b, &ws);
  interval_scratch_clear(&ws);
}

static void mul(interval *r, const interval *a, const interval *b) {
  with_scratch(interval_mul, r, a, b);
}

static void divide(interval *r, const interval *a, const interval *b) {
  with_scratch(interval_div, r, a, b);
}

static void fma_one(interval *r, const interval *a, const interval *b) { /* a b + 1 */
  interval_scratch ws;
  interval one;
  interval_scratch_init(&ws, PRECISION);
  interval_init_ends(&one, (ends){1, 1});
  interval_fma(r, a, b, &one, &ws);
  interval_clear(&one);
  interval_scratch_clear(&ws);
}

static void shift(interval *r, const interval *a) {
  interval_scale_2exp(r, a, 3);
}

static void assert_unary(unary *f, ends a, ends expected) {
  interval x, r;
  interval_init_ends(&x, a);
  interval_init(&r, PRECISION);
  f(&r, &x);
  assert_ends(&r, expected);
  f(&x, &x);
  assert_ends(&x, expected);
  interval_clear(&x);
  interval_clear(&r);
}

static void assert_binary(binary *f, ends a, ends b, ends expected) {
  interval x, y, r;
  interval_init_ends(&x, a);
  interval_init_ends(&y, b);
  interval_init(&r, PRECISION);
  f(&r, &x, &y);
  assert_ends(&r, expected);
  f(&y, &x, &y);
  assert_ends(&y, expected);
  interval_clear(&x);
  interval_clear(&y);
  interval_clear(&r);
}

static unary *const UNARY[] = {interval_neg, interval_sqrt, interval_exp, interval_log, sqr, shift};
static binary *const BINARY[] = {interval_add, interval_sub, mul, divide, interval_min, interval_max, fma_one};
enum { UNARIES = sizeof UNARY / sizeof UNARY[0], BINARIES = sizeof BINARY / sizeof BINARY[0] };

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static void test_empty_operand_gives_empty(void **state) {
  (void)state;
  const ends other[] = {{1, 2}, {-1, 1}, {0, 0}, {-INF, 3}, {-INF, INF}, {INF, -INF}, {NAN, 1}, {NAN, NAN}};
  for (int i = 0; i < UNARIES; i++) assert_unary(UNARY[i], EMPTY, EMPTY);
  for (int i = 0; i < BINARIES; i++) {
    for (size_t j = 0; j < sizeof other / sizeof other[0]; j++) {
      assert_binary(BINARY[i], EMPTY, other[j], EMPTY);
      assert_binary(BINARY[i], other[j], EMPTY, EMPTY);
    }
  }
}

/* interval_relation_whole accepts the NaN endpoint itself, as neg and scale leave it. */
static void test_nan_claims_nothing(void **state) {
  (void)state;
  const ends nan[] = {{NAN, 1}, {1, NAN}, {NAN, NAN}, {NAN, INF}, {INF, NAN}, {-INF, NAN}, {NAN, -1}, {-1, NAN}};
  interval a, one, r;
  interval_init_ends(&one, (ends){1, 1});
  interval_init(&r, PRECISION);
  for (size_t j = 0; j < sizeof nan / sizeof nan[0]; j++) {
    interval_init_ends(&a, nan[j]);
    for (int i = 0; i < UNARIES; i++) {
      UNARY[i](&r, &a);
      assert_true(interval_relation_whole(&r));
    }
    for (int i = 0; i < BINARIES; i++) {
      BINARY[i](&r, &a, &one);
      assert_true(interval_relation_whole(&r));
      BINARY[i](&r, &one, &a);
      assert_true(interval_relation_whole(&r));
    }
    interval_clear(&a);
  }
  interval_clear(&one);
  interval_clear(&r);
}

static void test_unbounded_operands(void **state) {
  (void)state;
  assert_unary(interval_neg, (ends){-INF, 2}, (ends){-2, INF});
  assert_unary(sqr, (ends){-INF, -2}, (ends){4, INF});
  assert_unary(shift, (ends){1, INF}, (ends){8, INF});
  assert_unary(interval_sqrt, (ends){4, INF}, (ends){2, INF});
  assert_unary(interval_exp, (ends){-INF, 0}, (ends){0, 1});
  assert_unary(interval_log, (ends){0, 1}, (ends){-INF, 0});
  assert_unary(interval_log, (ends){1, INF}, (ends){0, INF});
  assert_binary(interval_add, (ends){1, INF}, (ends){-INF, 2}, WHOLE);
  assert_binary(interval_add, (ends){1, INF}, (ends){2, INF}, (ends){3, INF});
  assert_binary(interval_sub, (ends){1, INF}, (ends){-INF, 2}, (ends){-1, INF});
  assert_binary(mul, (ends){2, INF}, (ends){3, INF}, (ends){6, INF});
  assert_binary(mul, (ends){0, INF}, (ends){0, INF}, (ends){0, INF});
  assert_binary(mul, (ends){0, 0}, WHOLE, (ends){0, 0});
  assert_binary(mul, (ends){-INF, -1}, (ends){-1, 2}, WHOLE);
  assert_binary(mul, (ends){-INF, 0}, (ends){2, 5}, (ends){-INF, 0});
  assert_binary(divide, (ends){1, 2}, (ends){4, INF}, (ends){0, 0.5});
  assert_binary(divide, (ends){1, INF}, (ends){-INF, -1}, (ends){-INF, 0});
  assert_binary(interval_min, (ends){1, INF}, (ends){2, 3}, (ends){1, 3});
  assert_binary(interval_max, (ends){-INF, 1}, (ends){2, 3}, (ends){2, 3});
}

static void test_division_by_zero(void **state) {
  (void)state;
  assert_binary(divide, (ends){1, 2}, (ends){0, 0}, EMPTY);
  assert_binary(divide, (ends){1, 2}, (ends){-0.0, 4}, (ends){0.25, INF});
  assert_binary(divide, (ends){1, 2}, (ends){-4, 0.0}, (ends){-INF, -0.25});
  assert_binary(divide, (ends){-2, -1}, (ends){0, 4}, (ends){-INF, -0.25});
  assert_binary(divide, (ends){-2, -1}, (ends){-4, 0}, (ends){0.25, INF});
  assert_binary(divide, (ends){-1, 2}, (ends){0, 4}, WHOLE);
  assert_binary(divide, (ends){0, 2}, (ends){0, 4}, (ends){0, INF});
  assert_binary(divide, (ends){1, 2}, (ends){-1, 4}, WHOLE);
  assert_binary(divide, (ends){0, 0}, (ends){-1, 4}, (ends){0, 0});
  assert_binary(divide, (ends){0, 0}, WHOLE, (ends){0, 0});
}

static void test_domains(void **state) {
  (void)state;
  assert_unary(interval_sqrt, (ends){-2, -1}, EMPTY);
  assert_unary(interval_sqrt, (ends){-2, 4}, (ends){0, 2});
  assert_unary(interval_sqrt, (ends){-1, 0}, (ends){0, 0});
  assert_unary(interval_log, (ends){-2, 0}, EMPTY);
  assert_unary(interval_log, (ends){-2, 1}, (ends){-INF, 0});
  assert_unary(interval_exp, (ends){0, 0}, (ends){1, 1});
}

static void test_set_operations(void **state) {
  (void)state;
  assert_binary(interval_hull, EMPTY, (ends){1, 2}, (ends){1, 2});
  assert_binary(interval_hull, (ends){1, 2}, EMPTY, (ends){1, 2});
  assert_binary(interval_hull, EMPTY, EMPTY, EMPTY);
  assert_binary(interval_hull, (ends){1, 2}, (ends){NAN, 1}, WHOLE);
  assert_binary(interval_hull, (ends){1, 2}, (ends){-INF, 1}, (ends){-INF, 2});
  assert_binary(interval_intersect, EMPTY, (ends){1, 2}, EMPTY);
  assert_binary(interval_intersect, (ends){1, 2}, (ends){3, 4}, EMPTY);
  assert_binary(interval_intersect, (ends){1, 2}, (ends){2, 4}, (ends){2, 2});
  assert_binary(interval_intersect, (ends){1, 2}, (ends){NAN, 1}, (ends){1, 2});
  assert_binary(interval_intersect, (ends){NAN, 1}, (ends){1, 2}, (ends){1, 2});
  assert_binary(interval_intersect, (ends){1, INF}, (ends){-INF, 3}, (ends){1, 3});
}

/* [1, 1 + 2^-52] and [1 + 2^-51, 2] do not meet, though they do once rounded to 2 bits. */
static void test_intersection_is_decided_before_rounding(void **state) {
  (void)state;
  interval a, b, r;
  interval_init_ends(&a, (ends){1, 1 + 0x1p-52});
  interval_init_ends(&b, (ends){1 + 0x1p-51, 2});
  interval_init(&r, 2);
  interval_intersect(&r, &a, &b);
  assert_true(interval_is_empty(&r));
  interval_clear(&a);
  interval_clear(&b);
  interval_clear(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty_operand_gives_empty),
      cmocka_unit_test(test_nan_claims_nothing),
      cmocka_unit_test(test_unbounded_operands),
      cmocka_unit_test(test_division_by_zero),
      cmocka_unit_test(test_domains),
      cmocka_unit_test(test_set_operations),
      cmocka_unit_test(test_intersection_is_decided_before_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
