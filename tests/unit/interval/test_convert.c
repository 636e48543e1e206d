/* Conversions at the ends of the double range and of MPFR's, and of special intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>

#include "interval/interval_convert.h"
#include "interval/interval_set.h"

typedef struct {
  interval a;
  interval_scratch ws;
} fixture;

static int setup(void **state) {
  static fixture f;
  interval_init(&f.a, 128);
  interval_scratch_init(&f.ws, 128);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *const f = *state;
  interval_clear(&f->a);
  interval_scratch_clear(&f->ws);
  return 0;
}

static void set(fixture *f, const char *lo, const char *hi) {
  mpfr_set_str(f->a.lo, lo, 0, MPFR_RNDD);
  mpfr_set_str(f->a.hi, hi, 0, MPFR_RNDU);
}

static void assert_doubles(fixture *f, double lower, double upper) {
  assert_true(interval_get_d_lower(&f->a) == lower);
  assert_true(interval_get_d_upper(&f->a) == upper);
}

static void assert_midrad(fixture *f, double mid, double rad) {
  double m, r;
  interval_get_midrad(&m, &r, &f->a, &f->ws);
  assert_true(m == mid && r == rad);
}

static void test_special_intervals(void **state) {
  fixture *const f = *state;
  interval_set_empty(&f->a);
  assert_doubles(f, INFINITY, -INFINITY);
  assert_midrad(f, 0, INFINITY);
  interval_set_whole(&f->a);
  assert_doubles(f, -INFINITY, INFINITY);
  assert_midrad(f, 0, INFINITY);
  interval_set_d(&f->a, 1);
  mpfr_set_nan(f->a.lo);
  assert_doubles(f, -INFINITY, INFINITY);
  assert_midrad(f, 0, INFINITY);
  set(f, "1", "@inf@");
  assert_doubles(f, 1, INFINITY);
  assert_midrad(f, 0, INFINITY);
}

static void test_beyond_the_doubles(void **state) {
  fixture *const f = *state;
  set(f, "1e400", "1e401");
  assert_doubles(f, DBL_MAX, INFINITY);
  assert_midrad(f, 0, INFINITY);
  set(f, "-1e401", "-1e400");
  assert_doubles(f, -INFINITY, -DBL_MAX);
  set(f, "-1e400", "1e400");
  assert_midrad(f, 0, INFINITY);
  set(f, "1e-400", "1e-399");
  assert_doubles(f, 0, 0x1p-1074);
  assert_midrad(f, 0, 0x1p-1074);
  set(f, "-1e-399", "-1e-400");
  assert_doubles(f, -0x1p-1074, 0);
}

static void test_largest_doubles(void **state) {
  fixture *const f = *state;
  set(f, "-0x1.fffffffffffffp+1023", "0x1.fffffffffffffp+1023");
  assert_doubles(f, -DBL_MAX, DBL_MAX);
  assert_midrad(f, 0, DBL_MAX);
}

static void test_radius_covers_the_rounding_of_the_middle(void **state) {
  fixture *const f = *state;
  set(f, "0.75", "0.75");
  assert_midrad(f, 0.75, 0);
  set(f, "0x1.00000000000008p+0", "0x1.00000000000008p+0"); /* 1 + 2^-53, half way between doubles */
  assert_midrad(f, 1, 0x1p-53);
  set(f, "0x1p-1075", "0x1p-1075");
  assert_midrad(f, 0, 0x1p-1074);
  set(f, "0x1p-1074", "0x3p-1074");
  assert_midrad(f, 0x1p-1073, 0x1p-1074);
}

static void test_magnitudes_of_special_intervals(void **state) {
  fixture *const f = *state;
  mpfr_t r;
  mpfr_init2(r, 53);
  interval_set_empty(&f->a);
  interval_mag(r, &f->a);
  assert_true(mpfr_nan_p(r));
  set(f, "-@inf@", "-2");
  interval_mag(r, &f->a);
  assert_true(mpfr_inf_p(r) && mpfr_sgn(r) > 0);
  mpfr_set_nan(f->a.lo);
  interval_mag(r, &f->a);
  assert_true(mpfr_inf_p(r) && mpfr_sgn(r) > 0);
  mpfr_clear(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_special_intervals, setup, teardown),
      cmocka_unit_test_setup_teardown(test_beyond_the_doubles, setup, teardown),
      cmocka_unit_test_setup_teardown(test_largest_doubles, setup, teardown),
      cmocka_unit_test_setup_teardown(test_radius_covers_the_rounding_of_the_middle, setup, teardown),
      cmocka_unit_test_setup_teardown(test_magnitudes_of_special_intervals, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
