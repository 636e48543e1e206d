/* Lines along curves against Arb. */
#include "arb_curve.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 160, DEFAULT_CASES = 400 };

/* phi(t) - slope (t - center) - height in Arb, its middle as a double; fails where it is beyond the error. */
static double off_line(const arb_curve *c, range_line line, double t, double center) {
  arb_t x, y, s;
  arb_init(x);
  arb_init(y);
  arb_init(s);
  arb_set_d(x, t);
  c->value(y, x, BITS);
  arb_set_d(s, center);
  arb_sub(x, x, s, BITS);
  arb_set_d(s, line.slope);
  arb_submul(y, x, s, BITS);
  arb_set_d(s, line.height);
  arb_sub(y, y, s, BITS);
  arb_abs(y, y);
  arb_set_d(s, line.error);
  if (arb_gt(y, s)) fail_msg("%s: the line about %a misses the curve at %a", c->name, center, t);
  const double off = arf_get_d(arb_midref(y), ARF_RND_NEAR);
  arb_clear(x);
  arb_clear(y);
  arb_clear(s);
  return off;
}

static void lines_contain_the_curve(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 3, 2);
  for (uint64_t i = 0; i < cases; i++) {
    for (size_t c = 0; c < ARB_CURVES; c++) {
      const double center = arb_curve_argument(&arb_curves[c], &r);
      const double reach = random_magnitude(&r, -30, 1) * (arb_curves[c].positive ? fmin(center, 1.0) / 4.0 : 1.0);
      const double lo = center - reach, hi = center + reach * random_uniform(&r, 0.3, 1.0);
      const range_line line = range_line_along(arb_curves[c].curve, lo, hi, center);
      double largest = 0.0;
      for (int k = 0; k <= 64; k++) {
        const double t = k == 64 ? hi : lo + (hi - lo) * k / 64.0;
        largest = fmax(largest, off_line(&arb_curves[c], line, t, center));
      }
      if (line.error > 1e-9 * (1.0 + fabs(line.height)) && line.error > 1.05 * largest)
        fail_msg("%s: error %g of the line on [%a, %a], but only %g is used", arb_curves[c].name, line.error, lo, hi,
                 largest);
    }
  }
}

static void lines_refuse_what_is_not_finite(void **state) {
  (void)state;
  for (size_t c = 0; c < ARB_CURVES; c++) {
    assert_true(isinf(range_line_along(arb_curves[c].curve, 1.0, INFINITY, 2.0).error));
    assert_true(isinf(range_line_along(arb_curves[c].curve, NAN, 3.0, 2.0).error));
    assert_true(isinf(range_line_along(arb_curves[c].curve, 1.0, 2.0, 3.0).error));
  }
  assert_true(!isfinite(range_line_along(&curve_inverse_sqrt, 0.0, 1.0, 0.5).error));
}

static void assert_line_of_a_point(const arb_curve *c, double t) {
  const range_line line = range_line_along(c->curve, t, t, t);
  if (!(line.error >= 0.0 && line.error <= 1e-14 * (1.0 + fabs(line.height))))
    fail_msg("%s: error %g at %a", c->name, line.error, t);
  off_line(c, line, t, t);
}

static void lines_of_points(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 3, 4);
  for (size_t c = 0; c < ARB_CURVES; c++) {
    const range_curve *const curve = arb_curves[c].curve;
    for (int i = 0; i < curve->bends; i++) {
      const range bend = curve->bend[i];
      assert_line_of_a_point(&arb_curves[c], bend.lo);
      assert_line_of_a_point(&arb_curves[c], 0.5 * (bend.lo + bend.hi));
      assert_line_of_a_point(&arb_curves[c], bend.hi);
    }
    for (int i = 0; i < 100; i++) assert_line_of_a_point(&arb_curves[c], arb_curve_argument(&arb_curves[c], &r));
  }
}

/* The second derivative (1 - T^2) (u' + t u'' / 2 - t T u'^2) of the tanh form keeps its sign between the bends: by Arb
 * on small pieces up to 8. Beyond, t u'' <= 2 u' (as 6 b t^2 <= 2 (1 + 3 b t^2)), t u' > 6 and T > 1/2, so the second
 * factor is at most u' (2 - 3) < 0; it is even in t. */
static void check_bends(const range *bend, arb_tanh_form form) {
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  const double step = 0x1p-10;
  for (int k = -8 * 1024; k < 8 * 1024; k++) {
    double lo = k * step, hi = (k + 1) * step;
    for (int side = 0; side < 2; side++) { /* the piece without the bend's own range */
      if (hi > bend[side].lo && lo < bend[side].lo) hi = bend[side].lo;
      if (lo < bend[side].hi && hi > bend[side].hi) lo = bend[side].hi;
    }
    arb_set_d(x, 0.5 * (lo + hi));
    mag_set_d(arb_radref(x), 0.5 * (hi - lo));
    arb_curve_gelu_tanh_derivative(y, x, 2, form, BITS);
    const bool outside = hi <= bend[0].lo || lo >= bend[1].hi;
    if (fabs(fabs(lo) - bend[1].lo) > 4.0 * step) assert_true(outside ? arb_is_negative(y) : arb_is_positive(y));
    assert_true(arf_cmpabs_d(arb_midref(y), 0.99) < 0);
  }
  for (int side = 0; side < 2; side++) {
    arb_set_d(x, bend[side].lo);
    arb_curve_gelu_tanh_derivative(y, x, 2, form, BITS);
    assert_true(side == 0 ? arb_is_negative(y) : arb_is_positive(y));
    arb_set_d(x, bend[side].hi);
    arb_curve_gelu_tanh_derivative(y, x, 2, form, BITS);
    assert_true(side == 0 ? arb_is_positive(y) : arb_is_negative(y));
  }
  arb_clear(x);
  arb_clear(y);
}

static void bends_of_gelu_tanh(void **state) {
  (void)state;
  check_bends(curve_gelu_tanh.bend, ARB_TANH_EXACT);
  check_bends(curve_gelu_bloom.bend, ARB_TANH_EIGHT_DIGITS);
  check_bends(curve_tanh_gated_float32.bend, ARB_TANH_FLOAT32);
}

/* t tanh(factor t / 2) = 2 / factor at the bends, where it grows with |t|. */
static void bends_of_gated_curves(void **state) {
  (void)state;
  static const struct {
    const range_curve *curve;
    double factor;
  } cases[] = {{&curve_silu, 1.0}, {&curve_quick_gelu, 1.702}};
  arb_t x, y, f;
  arb_init(x);
  arb_init(y);
  arb_init(f);
  for (int k = 0; k < 8; k++) {
    const range bend = cases[k / 4].curve->bend[k % 2];
    const double t = k % 4 < 2 ? bend.lo : bend.hi;
    arb_set_d(x, t);
    arb_set_d(f, cases[k / 4].factor);
    arb_mul(x, x, f, BITS);
    arb_mul_2exp_si(y, x, -1);
    arb_tanh(y, y, BITS);
    arb_mul(y, y, x, BITS);
    arb_sub_si(y, y, 2, BITS);
    const bool outside = fabs(t) >= fmax(fabs(bend.lo), fabs(bend.hi));
    assert_true(outside ? arb_is_positive(y) : arb_is_negative(y));
  }
  arb_clear(x);
  arb_clear(y);
  arb_clear(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines_contain_the_curve), cmocka_unit_test(lines_of_points),
                                     cmocka_unit_test(lines_refuse_what_is_not_finite),
                                     cmocka_unit_test(bends_of_gelu_tanh), cmocka_unit_test(bends_of_gated_curves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
