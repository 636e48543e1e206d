/* Parabolas along curves against Arb. */
#include "arb_curve.h"
#include "robust/range/range_parabola.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 160, DEFAULT_CASES = 200 };

/* phi(t) less the parabola in Arb, its middle as a double; fails where it is beyond the error. */
static double off_parabola(const arb_curve *c, const range_parabola *p, double t, double center) {
  arb_t x, y, s;
  arb_init(x);
  arb_init(y);
  arb_init(s);
  arb_set_d(x, t);
  c->value(y, x, BITS);
  arb_set_d(s, center);
  arb_sub(x, x, s, BITS);
  arb_set_d(s, p->slope);
  arb_submul(y, x, s, BITS);
  arb_sqr(x, x, BITS);
  arb_set_d(s, p->square);
  arb_submul(y, x, s, BITS);
  arb_set_d(s, p->height);
  arb_sub(y, y, s, BITS);
  arb_abs(y, y);
  arb_set_d(s, p->error);
  if (arb_gt(y, s)) fail_msg("%s: the parabola about %a misses the curve at %a", c->name, center, t);
  const double off = arf_get_d(arb_midref(y), ARF_RND_NEAR);
  arb_clear(x);
  arb_clear(y);
  arb_clear(s);
  return off;
}

/* What the pieces add is 1/1024 of the square's part over all. */
static void parabolas_contain_the_curve(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 3, 7);
  for (uint64_t i = 0; i < cases; i++) {
    for (size_t c = 0; c < ARB_CURVES; c++) {
      const double center = arb_curve_argument(&arb_curves[c], &r);
      const double reach = random_magnitude(&r, -12, 1) * (arb_curves[c].positive ? fmin(center, 1.0) / 4.0 : 1.0);
      const double lo = center - reach, hi = center + reach * random_uniform(&r, 0.3, 1.0);
      const range_parabola p = range_parabola_along(arb_curves[c].curve, lo, hi, center);
      double largest = 0.0;
      if (isinf(p.error)) continue;
      for (int k = 0; k <= 128; k++) {
        const double t = k == 128 ? hi : lo + (hi - lo) * k / 128.0;
        largest = fmax(largest, off_parabola(&arb_curves[c], &p, t, center));
      }
      const double pieces = fabs(p.square) * (hi - lo) * (hi - lo) / 1024.0;
      if (p.error > 1e-9 * (1.0 + fabs(p.height)) && p.error > 1.05 * largest + pieces)
        fail_msg("%s: error %g of the parabola on [%a, %a], but only %g is used", arb_curves[c].name, p.error, lo, hi,
                 largest);
    }
  }
}

/* Half the reach has an eighth of the error: 8 / 2^2 of a line's. */
static void errors_are_of_third_order(void **state) {
  (void)state;
  const double far = range_parabola_along(&curve_gelu, 0.5, 0.9, 0.7).error;
  const double near = range_parabola_along(&curve_gelu, 0.6, 0.8, 0.7).error;
  const double line = range_line_along(&curve_gelu, 0.5, 0.9, 0.7).error;
  assert_true(near < far / 4.0 && far < line / 8.0);
}

static void parabolas_refuse_what_is_not_finite(void **state) {
  (void)state;
  for (size_t c = 0; c < ARB_CURVES; c++) {
    assert_true(isinf(range_parabola_along(arb_curves[c].curve, 1.0, INFINITY, 2.0).error));
    assert_true(isinf(range_parabola_along(arb_curves[c].curve, NAN, 3.0, 2.0).error));
    assert_true(isinf(range_parabola_along(arb_curves[c].curve, 1.0, 2.0, 3.0).error));
    assert_true(isinf(range_parabola_along(arb_curves[c].curve, 1.0, 1.0, 1.0).error));
    assert_true(isinf(range_parabola_along(arb_curves[c].curve, 1.0, 2.0, 1.0).error));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parabolas_contain_the_curve),
                                     cmocka_unit_test(errors_are_of_third_order),
                                     cmocka_unit_test(parabolas_refuse_what_is_not_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
