/* Arithmetic of ranges against Arb. */
#include "arb_curve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 160 };

static double operand(random_source *r) {
  if (random_chance(r, 0.1)) return 0.0;
  return random_magnitude(r, -30, 30) * (random_chance(r, 0.5) ? 1.0 : -1.0);
}

static void arithmetic_contains_the_value(void **state) {
  (void)state;
  random_source r = random_source_make(5, 3, 1);
  arb_t x, y, z;
  arb_init(x);
  arb_init(y);
  arb_init(z);
  for (int i = 0; i < 4000; i++) {
    const double p = operand(&r), q = operand(&r), s = operand(&r), t = operand(&r);
    const range a = {fmin(p, q), fmax(p, q)}, b = {fmin(s, t), fmax(s, t)};
    arb_set_d(x, random_chance(&r, 0.5) ? p : q);
    arb_set_d(y, random_chance(&r, 0.5) ? s : t);
    arb_add(z, x, y, BITS);
    assert_true(arb_inside_range(z, range_add(a, b)));
    arb_sub(z, x, y, BITS);
    assert_true(arb_inside_range(z, range_sub(a, b)));
    arb_mul(z, x, y, BITS);
    assert_true(arb_inside_range(z, range_mul(a, b)));
    if (b.lo > 0.0) {
      arb_div(z, x, y, BITS);
      assert_true(arb_inside_range(z, range_div(a, b)));
    }
    const double middle = range_middle(a);
    assert_true(range_radius(a, middle) >= fabs(p - middle) && range_radius(a, middle) >= fabs(q - middle));
  }
  assert_false(range_finite(range_div(range_of(1.0), (range){0.0, 1.0})));
  assert_false(range_finite(range_mul(range_of(INFINITY), (range){0.0, 1.0})));
  arb_clear(x);
  arb_clear(y);
  arb_clear(z);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arithmetic_contains_the_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
