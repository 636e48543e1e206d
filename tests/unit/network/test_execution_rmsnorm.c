/* RMSNorm executed in every manner: rows that are constant, 0, of one number, huge or tiny, and rows where one term of
 * the bound is nearly all of it (see test_execution_terms.c). */
#include "executed_step.h"
#include "network/rmsnorm/step_rmsnorm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 64 };

/* No gain: NULL. */
static step rmsnorm(rmsnorm_weights *w, int cols, const double *gain, double epsilon) {
  static double ones[MOST];
  for (int a = 0; a < MOST; a++) ones[a] = 1.0;
  *w = (rmsnorm_weights){gain != NULL ? gain : ones, epsilon, 1, false};
  return (step){.kind = &step_rmsnorm, .of = w, .layer = -1, .inputs = 1, .rows = 1, .cols = cols};
}

/* Also where every square, or the result, underflows. */
static void rows_of_every_size(void **state) {
  (void)state;
  enum { DIM = 4 };
  static const char *const formats[] = {"float32", "bfloat16", "float16"};
  static const double gain[DIM] = {1.0, -0.5, 2.0, 0.25};
  static const struct {
    int dim;
    double x[DIM];
  } rows[] = {{4, {1.0, -2.0, 0.5, 4.0}}, {3, {1.5, 1.5, 1.5}}, {4, {0.0}}, {1, {-3.0}}, {4, {0.0, 0.0, 1.3, 0.0}}};
  static const int scales[] = {0, 12, -12, 40, 60, -60, -70, -139};
  for (int f = 0; f < 3; f++) {
    double used = 0.0;
    for (int k = 0; k < 5 * 8; k++) {
      const int dim = rows[k / 8].dim, scale = scales[k % 8];
      double x[DIM];
      rmsnorm_weights w;
      if (f == 2 && abs(scale) > 12) continue; /* beyond float16 */
      const step s = rmsnorm(&w, dim, gain, 0x1p-20);
      for (int a = 0; a < dim; a++) x[a] = ldexp(rows[k / 8].x[a], scale);
      used = fmax(used, executed_step_used(formats[f], &s, x, dim, 0, dim - 1));
    }
    print_message("%s: largest part of the bound used %.3f\n", formats[f], used);
    assert_true(used > 0.3 && used <= 1.0);
  }
}

/* Two squares of 1, then 62 that are nearly half of the last unit of 2: their sum loses each. */
static void squares_that_are_lost_move_the_scale(void **state) {
  (void)state;
  double x[MOST];
  rmsnorm_weights w;
  const step s = rmsnorm(&w, MOST, NULL, 0x1p-30);
  for (int a = 0; a < MOST; a++) x[a] = a < 2 ? 1.0 : 1.4 * 0x1p-12;
  const double used = executed_step_used("float32", &s, x, MOST, 0, 1);
  print_message("squares: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.5);
}

/* Functions within 64 units: the inverse root's error is that of every entry. */
static void an_inaccurate_inverse_root_moves_every_entry(void **state) {
  (void)state;
  const double x[] = {0.96, -0.96};
  rmsnorm_weights w;
  step_format format;
  const step s = rmsnorm(&w, 2, NULL, 0x1p-30);
  format = step_format_of(float_format_named("float32"), 64.0);
  const double used = executed_step_part_used(&format, &s, x, 2, 0, 1);
  print_message("inverse root: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.4);
}

/* Kept as 0, which a large gain does not undo. */
static void a_quotient_that_underflows_is_off_times_its_gain(void **state) {
  (void)state;
  static const double gain[] = {1.0, 1024.0};
  const double x[] = {3.0, 0x1p-24};
  rmsnorm_weights w;
  const step s = rmsnorm(&w, 2, gain, 0x1p-30);
  const double used = executed_step_used("float16", &s, x, 2, 1, 1);
  print_message("underflow: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.2 && used <= 1.0);
}

/* Every entry of {1, last} in `format`, times `gain`, is without a bound. */
static void no_bound(const step_format *format, double last, const double *gain) {
  enum { DIM = 3 };
  form_symbols symbols = {0};
  form x = {0}, y = {0};
  const form *const in[] = {&x};
  rmsnorm_weights w;
  const step s = rmsnorm(&w, DIM, gain, 0x1p-20);
  assert_int_equal(form_init(&x, 1, DIM, NULL), ATTCERT_OK);
  x.center[0] = 1.0;
  x.center[1] = last;
  assert_int_equal(form_measure(&x, &symbols, NULL), ATTCERT_OK);
  assert_int_equal(step_rmsnorm.forms(&y, &s, in, &symbols, 0, NULL), ATTCERT_OK);
  assert_int_equal(form_measure(&y, &symbols, NULL), ATTCERT_OK);
  assert_int_equal(step_rmsnorm.execution(&y, &s, in, &symbols, format, NULL), ATTCERT_OK);
  for (int a = 0; a < DIM; a++) assert_true(isinf(y.radius[a]));
  form_clear(&x);
  form_clear(&y);
  form_symbols_clear(&symbols);
}

/* A sum of squares beyond the largest number makes every entry 0, also one that is small. */
static void squares_that_overflow_have_no_bound(void **state) {
  (void)state;
  const step_format format = step_format_of(float_format_named("float32"), EXECUTED_ULP);
  no_bound(&format, 0x1p64, NULL);
}

/* Functions so inaccurate that x / s may be beyond float16, while its product with the gain is not. */
static void quotients_that_overflow_have_no_bound(void **state) {
  (void)state;
  static const double gain[] = {0x1p-10, 0x1p-10, 0x1p-10};
  const step_format format = step_format_of(float_format_named("float16"), 0x1p42);
  no_bound(&format, 1.0, gain);
}

/* A gain of 1 + w is that of the w which the format holds. */
static void gains_around_one_are_rounded(void **state) {
  (void)state;
  const double gain[] = {1.1, 0.7, -2.3, 1.0};
  const step_format format = step_format_of(float_format_named("bfloat16"), EXECUTED_ULP);
  for (int from_one = 0; from_one < 2; from_one++) {
    void *of;
    const rmsnorm_weights w = {gain, 0x1p-20, 2, from_one == 1};
    const step s = {.kind = &step_rmsnorm, .of = &w, .layer = -1, .inputs = 1, .rows = 1, .cols = 4};
    assert_int_equal(step_rmsnorm.round(&of, &s, 4, &format, NULL), ATTCERT_OK);
    for (int c = 0; c < 4; c++)
      assert_true(((rmsnorm_weights *)of)->gain[c] == from_one + step_format_nearest(&format, gain[c] - from_one));
    free(of);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_every_size),
      cmocka_unit_test(squares_that_are_lost_move_the_scale),
      cmocka_unit_test(an_inaccurate_inverse_root_moves_every_entry),
      cmocka_unit_test(a_quotient_that_underflows_is_off_times_its_gain),
      cmocka_unit_test(quotients_that_overflow_have_no_bound),
      cmocka_unit_test(squares_that_overflow_have_no_bound),
      cmocka_unit_test(gains_around_one_are_rounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
