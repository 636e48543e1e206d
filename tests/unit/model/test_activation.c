/* GELU and ReLU: known values, symmetries, and that the two GELU forms are close but not equal. */
#include "model/family/activation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_close(double value, double expected, double relative) {
  if (!(fabs(value - expected) <= relative * fabs(expected)))
    fail_msg("%.17g, expected %.17g (relative %g)", value, expected, relative);
}

static void names(void **state) {
  (void)state;
  const struct {
    const char *name;
    const range_curve *curve;
  } known[] = {{"gelu", &curve_gelu},          {"gelu_python", &curve_gelu},
               {"gelu_new", &curve_gelu_tanh}, {"gelu_pytorch_tanh", &curve_gelu_tanh},
               {"relu", &curve_relu},          {"silu", &curve_silu}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    assert_ptr_equal(activation_named(known[i].name), known[i].curve);
    assert_non_null(strstr(ACTIVATION_NAMES, known[i].name));
  }
  assert_null(activation_named("mish"));
  assert_null(activation_named(""));
  assert_null(activation_named("GELU"));
}

/* Reference values from the defining formulas at 50 digits. */
static void gelu_known_values(void **state) {
  (void)state;
  const struct {
    double x, erf_form, tanh_form;
  } known[] = {{-6, -5.919525870226188543e-09, -8.439646700762297021e-11},
               {-3, -4.049694094890283515e-03, -3.637392081773019054e-03},
               {-1, -1.586552539314570465e-01, -1.588080093917232927e-01},
               {-0.25, -1.003234185792690747e-01, -1.003246492983149996e-01},
               {0.5, 3.457312306370065591e-01, 3.457140098251439420e-01},
               {1, 8.413447460685429258e-01, 8.411919906082766518e-01},
               {2.5, 2.484475836685559713e+00, 2.484915733910001201e+00}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    assert_close(curve_gelu.estimate(known[i].x), known[i].erf_form, 1e-14);
    assert_close(curve_gelu_tanh.estimate(known[i].x), known[i].tanh_form, 1e-11);
  }
}

/* x Phi(x) - (-x) Phi(-x) = x (Phi(x) + Phi(-x)) = x; the tanh form has the same symmetry. */
static void gelu_odd_part(void **state) {
  (void)state;
  for (double x = -9.0; x <= 9.0; x += 0.37) {
    assert_true(fabs(curve_gelu.estimate(x) - curve_gelu.estimate(-x) - x) <= 1e-15 * (1 + fabs(x)));
    assert_true(fabs(curve_gelu_tanh.estimate(x) - curve_gelu_tanh.estimate(-x) - x) <= 1e-15 * (1 + fabs(x)));
  }
}

/* Hendrycks and Gimpel's approximation: within 5e-4 everywhere, but another function. */
static void gelu_forms_are_close_but_distinct(void **state) {
  (void)state;
  double widest = 0;
  for (double x = -6.0; x <= 6.0; x += 0.01)
    widest = fmax(widest, fabs(curve_gelu.estimate(x) - curve_gelu_tanh.estimate(x)));
  assert_true(widest < 5e-4);
  assert_true(widest > 1e-4);
}

static void relu_values(void **state) {
  (void)state;
  const double x[] = {-2.5, -0.0, 0.0, 1e-300, 3.0}, expected[] = {0, 0, 0, 1e-300, 3.0};
  for (int i = 0; i < 5; i++) assert_true(curve_relu.estimate(x[i]) == expected[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),         cmocka_unit_test(gelu_known_values),
      cmocka_unit_test(gelu_odd_part), cmocka_unit_test(gelu_forms_are_close_but_distinct),
      cmocka_unit_test(relu_values),
  };
  return cmocka_run_group_tests_name("activation", tests, NULL, NULL);
}
