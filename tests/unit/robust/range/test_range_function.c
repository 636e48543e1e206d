/* Elementary functions, curves and their slopes against Arb. */
#include "robust/range/range_function.h"

#include "arb_curve.h"
#include "random_source.h"
#include "test_setting.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* The contract of range_exp, clause by clause, and that exp lies above its tangent at 0. */
static void assert_exponential(double t) {
  const range r = range_exp(t);
  if (isnan(t)) assert_true(isnan(r.lo) && isnan(r.hi));
  if (t == INFINITY) assert_true(isnan(r.hi) || r.hi == INFINITY);
  if (t == -INFINITY) assert_true(r.lo <= 0.0);
  if (!isfinite(t)) return;
  arb_t x, y, end;
  arb_init(x);
  arb_init(y);
  arb_init(end);
  arb_set_d(x, t);
  arb_exp(y, x, BITS);
  arb_set_d(end, r.lo);
  if (!(r.lo < INFINITY) || arb_gt(end, y)) fail_msg("exp(%a): %a is not below", t, r.lo);
  arb_set_d(end, r.hi);
  if (!(r.hi > -INFINITY) || arb_lt(end, y)) fail_msg("exp(%a): %a is not above", t, r.hi);
  arb_add_ui(x, x, 1, BITS);
  if (arb_lt(y, x)) fail_msg("exp(%a) is below its tangent", t);
  arb_clear(x);
  arb_clear(y);
  arb_clear(end);
}

static void exponential_fulfils_its_contract(void **state) {
  (void)state;
  /* The largest and least arguments without overflow and underflow, and those beyond. */
  static const double hostile[] = {0.0, 0x1p-1074, 0x1p-1022, 0x1p-60, 0x1p-53,  0x1p-52, 0.5,
                                   1.0, 708.0,     709.78,    709.79,  744.44,   745.13,  745.14,
                                   1e3, 1e10,      0x1p1023,  DBL_MAX, INFINITY, NAN};
  for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
    assert_exponential(hostile[i]);
    assert_exponential(-hostile[i]);
  }
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 5, 0);
  for (uint64_t i = 0; i < cases; i++) {
    const uint64_t bits = random_bits(&r);
    double t;
    memcpy(&t, &bits, sizeof t);
    assert_exponential(t);
    assert_exponential(random_uniform(&r, -760.0, 760.0));
    assert_exponential(ldexp(random_uniform(&r, -1.0, 1.0), random_integer(&r, -70, 3)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functions_contain_the_value),
                                     cmocka_unit_test(exponential_fulfils_its_contract)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
