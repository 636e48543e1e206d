/* Elementary functions, curves and their slopes against Arb. */
#include "robust/range/range_function.h"

#include "arb_curve.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 160, DEFAULT_CASES = 400 };

static void exponential(arb_t y, const arb_t t, slong bits) {
  arb_exp(y, t, bits);
}

static void assert_at(arb_function function, range r, double t, const char *name) {
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  arb_set_d(x, t);
  function(y, x, BITS);
  if (!arb_inside_range(y, r)) fail_msg("%s(%a): [%a, %a] misses the value", name, t, r.lo, r.hi);
  const double magnitude = fmax(range_magnitude(r), 1e-300);
  if (!(r.hi - r.lo <= 1e-13 * magnitude + 1e-13)) fail_msg("%s(%a): [%a, %a] is wide", name, t, r.lo, r.hi);
  arb_clear(x);
  arb_clear(y);
}

static void functions_contain_the_value(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 3, 0);
  for (uint64_t i = 0; i < cases; i++) {
    for (size_t c = 0; c < ARB_CURVES; c++) {
      const double t = arb_curve_argument(&arb_curves[c], &r);
      range value;
      const range slope = arb_curves[c].curve->tangent(t, &value);
      assert_at(arb_curves[c].value, arb_curves[c].curve->value(t), t, arb_curves[c].name);
      assert_at(arb_curves[c].value, value, t, arb_curves[c].name);
      assert_at(arb_curves[c].slope, slope, t, arb_curves[c].name);
      assert_true(fabs(arb_curves[c].curve->estimate(t) - value.lo) <= 1e-9 * (1.0 + fabs(value.lo)));
    }
    const double t = random_uniform(&r, -30.0, 3.0);
    assert_at(exponential, range_exp(t), t, "exp");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functions_contain_the_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
