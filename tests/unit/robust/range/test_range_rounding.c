/* Every operation that rounds, clause by clause of its contract, on numbers chosen to break it and on random bits,
 * against Arb: sums and products exactly, quotients and roots in balls of 300 bits (a quotient of doubles that is none
 * is farther from every double). */
#include "random_source.h"
#include "robust/range/range_rounding.h"
#include "test_setting.h"

#include <arb.h>
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { QUOTIENT_BITS = 300, DEFAULT_CASES = 20000 };

/* Signed zeros, subnormals, the edge of the normal numbers, halves of an ulp for ties, the largest, and no numbers. */
static const double hostile[] = {0.0,
                                 0x1p-1074,
                                 0x3p-1074,
                                 0x1.8p-1060,
                                 0x1.fffffffffffffp-1023,
                                 0x1p-1022,
                                 0x3p-1022,
                                 0x1p-538,
                                 0x1p-537,
                                 0x1p-53,
                                 0x3p-54,
                                 0.1,
                                 0x1.fffffffffffffp-1,
                                 1.0,
                                 0x1.0000000000001p0,
                                 3.0,
                                 0x1p53,
                                 0x1.8p511,
                                 0x1p512,
                                 0x1p970,
                                 0x1p1023,
                                 DBL_MAX,
                                 INFINITY,
                                 NAN};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static bool nothing_below(double d) {
  return isnan(d) || d == -INFINITY;
}

static bool nothing_above(double d) {
  return isnan(d) || d == INFINITY;
}

static bool product_unbounded_above(double u, double v) {
  return (u == INFINITY && v >= 0.0) || (u == -INFINITY && v <= 0.0) || (v == INFINITY && u >= 0.0) ||
         (v == -INFINITY && u <= 0.0);
}

/* The two ends claim the value, and they are infinite only where it is large. */
static void assert_ends(const char *name, double lo, double hi, const arb_t value, double x, double y) {
  arb_t end, large;
  arb_init(end);
  arb_init(large);
  arb_set_d(end, lo);
  bool in = nothing_below(lo) || (isfinite(lo) && !arb_gt(end, value));
  arb_set_d(end, hi);
  in = in && (nothing_above(hi) || (isfinite(hi) && !arb_lt(end, value)));
  if (!in) fail_msg("%s(%a, %a): [%a, %a] misses the value", name, x, y, lo, hi);
  arb_set_d(large, 0x1p1023);
  arb_abs(end, value);
  if (arb_lt(end, large) && !(isfinite(lo) && isfinite(hi)))
    fail_msg("%s(%a, %a): [%a, %a] is not finite", name, x, y, lo, hi);
  arb_clear(end);
  arb_clear(large);
}

static void assert_finite_operands(double x, double y) {
  arb_t a, b, c;
  arb_init(a);
  arb_init(b);
  arb_init(c);
  arb_set_d(a, x);
  arb_set_d(b, y);
  arb_add(c, a, b, ARF_PREC_EXACT);
  assert_ends("add", range_add_down(x, y), range_add_up(x, y), c, x, y);
  arb_sub(c, a, b, ARF_PREC_EXACT);
  assert_ends("sub", range_sub_down(x, y), range_sub_up(x, y), c, x, y);
  arb_mul(c, a, b, ARF_PREC_EXACT);
  assert_ends("mul", range_mul_down(x, y), range_mul_up(x, y), c, x, y);
  if (y > 0.0) {
    arb_div(c, a, b, QUOTIENT_BITS);
    assert_ends("div", range_div_down(x, y), range_div_up(x, y), c, x, y);
    arb_mul_2exp_si(b, b, -1);
    arb_sub(c, a, b, ARF_PREC_EXACT);
    assert_ends("sub_half", range_down(range_sub_down(x, 0.5 * y)), range_sub_half_up(x, y), c, x, y);
  }
  if (x >= 0.0) {
    arb_sqrt(c, a, QUOTIENT_BITS);
    assert_ends("sqrt", range_sqrt_down(x), range_sqrt_up(x), c, x, 0.0);
  }
  arb_clear(a);
  arb_clear(b);
  arb_clear(c);
}

/* The clauses `unbounded`, `nan` and `by_infinity`. */
static void assert_unbounded(double x, double y) {
  if (nothing_below(x) || nothing_below(y)) assert_true(nothing_below(range_add_down(x, y)));
  if (nothing_above(x) || nothing_above(y)) assert_true(nothing_above(range_add_up(x, y)));
  if (nothing_below(x) || nothing_above(y)) assert_true(nothing_below(range_sub_down(x, y)));
  if (nothing_above(x) || nothing_below(y)) assert_true(nothing_above(range_sub_up(x, y)));
  if (product_unbounded_above(-x, y)) assert_true(nothing_below(range_mul_down(x, y)));
  if (product_unbounded_above(x, y)) assert_true(nothing_above(range_mul_up(x, y)));
  if (isnan(x) || isnan(y)) assert_true(isnan(range_mul_down(x, y)) && isnan(range_mul_up(x, y)));
  if (isnan(y)) assert_true(isnan(range_div_down(x, y)) && isnan(range_div_up(x, y)));
  if (y > 0.0 || isnan(y)) {
    if (nothing_below(x)) assert_true(nothing_below(range_div_down(x, y)));
    if (nothing_above(x)) assert_true(nothing_above(range_div_up(x, y)));
    if (y == INFINITY && isfinite(x)) assert_true(range_div_down(x, y) <= 0.0 && range_div_up(x, y) >= 0.0);
  }
  if ((y > 0.0 && nothing_above(x)) || isnan(y)) assert_true(nothing_above(range_sub_half_up(x, y)));
  if (isnan(x)) assert_true(isnan(range_sqrt_down(x)));
  if (nothing_above(x)) assert_true(nothing_above(range_sqrt_up(x)));
}

static void assert_pair(double x, double y) {
  assert_unbounded(x, y);
  if (isfinite(x) && isfinite(y)) assert_finite_operands(x, y);
}

static void hostile_numbers_are_enclosed(void **state) {
  (void)state;
  for (int i = 0; i < 2 * HOSTILE; i++)
    for (int j = 0; j < 2 * HOSTILE; j++)
      assert_pair(i % 2 ? -hostile[i / 2] : hostile[i / 2], j % 2 ? -hostile[j / 2] : hostile[j / 2]);
}

/* Any bits; and the second operand near a power of two of the first one's scale, so that sums cancel and round. */
static void random_bits_are_enclosed(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 3, 4);
  for (uint64_t i = 0; i < cases; i++) {
    double operand[2];
    uint64_t bits[2] = {random_bits(&r), random_bits(&r)};
    memcpy(operand, bits, sizeof operand);
    assert_pair(operand[0], operand[1]);
    assert_pair(operand[0], ldexp(operand[0], random_integer(&r, -60, 60)) * random_uniform(&r, -1.0, 1.0));
    assert_pair(random_integer(&r, 1, 9) * 0x1p-1074, random_integer(&r, 1, 9) * 0x1p-1074);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_numbers_are_enclosed),
                                     cmocka_unit_test(random_bits_are_enclosed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
