/* Formats of executions: their numbers, and what is beyond them. */
#include "random_network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ULP = 4 };

/* A number beyond the format ends the run. */
static void overflow_is_undecided(void **state) {
  (void)state;
  network_case c;
  robust_margin margin;
  step_format format;
  assert_true(step_format_named(&format, "float16", ULP));
  network_case_init(&c, 1, 3);
  c.x.data[0] = 1e5;
  c.ball.format = &format;
  assert_int_equal(robust_margin_evaluate(&margin, &c.network, &c.ball, NULL), ATTCERT_OK);
  assert_false(margin.margin.lo > -INFINITY);
  robust_margin_clear(&margin);
  network_case_clear(&c);
}

/* Known numbers of the formats, and ties. */
static void weights_are_rounded_to_nearest(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double x, nearest;
  } cases[] = {{"float64", 0.1, 0.1},
               {"float32", 0.1, (double)0.1f},
               {"float32", 0x1.000001p0, 1.0},
               {"float32", 0x1.000003p0, 0x1.000004p0},
               {"float32", 0x1.8p-150, 0x1p-149},
               {"bfloat16", 0x1.01p0, 1.0},
               {"bfloat16", -0x1.03p0, -0x1.04p0},
               {"float16", 0x1.002p0, 1.0},
               {"float16", 0x1.8p-25, 0x1p-24},
               {"float16", 65519.0, 65504.0},
               {"float16", 65520.0, INFINITY},
               {"float16", -1e9, -INFINITY}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    step_format format;
    assert_true(step_format_named(&format, cases[k].name, ULP));
    assert_true(step_format_nearest(&format, cases[k].x) == cases[k].nearest);
  }
  step_format format;
  assert_false(step_format_named(&format, "exact", ULP));
}

/* Constants that are normal numbers, as their reciprocals are. */
static void constants_are_held(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double largest;
  } cases[] = {{"float64", 0x1p1021}, {"float32", 0x1p125}, {"bfloat16", 0x1p125}, {"float16", 0x1p13}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const double largest = cases[k].largest;
    step_format format;
    assert_true(step_format_named(&format, cases[k].name, ULP));
    assert_true(step_format_holds(&format, largest) && step_format_holds(&format, 1.0 / largest));
    assert_false(step_format_holds(&format, 1.01 * largest) || step_format_holds(&format, 0.99 / largest));
    assert_false(step_format_holds(&format, NAN) || step_format_holds(&format, 0.0));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(overflow_is_undecided),
                                     cmocka_unit_test(weights_are_rounded_to_nearest),
                                     cmocka_unit_test(constants_are_held)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
