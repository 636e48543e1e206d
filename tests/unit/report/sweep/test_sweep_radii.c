/* Radii of a curve. */
#include "report/sweep/sweep_radii.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void reads(void **state) {
  (void)state;
  sweep_radii r;
  assert_true(sweep_radii_read(&r, "1e-3:1:log"));
  assert_true(r.first == 1e-3 && r.last == 1.0 && r.count == SWEEP_RADII_DEFAULT);
  assert_true(sweep_radii_read(&r, ".5:8:log:5"));
  assert_true(r.first == 0.5 && r.last == 8.0 && r.count == 5);
  assert_true(sweep_radii_read(&r, "2:2:log:7"));
  assert_int_equal(r.count, 1);
  static const char *const bad[] = {"",           "1",         "1:2",       "1:2:lin",     "1:2:log:1", "1:2:log:10001",
                                    "2:1:log",    "0:1:log",   "-1:1:log",  " 1:2:log",    "1:2:log ",  "1:2:log:",
                                    "1:2:log:+3", "nan:1:log", "1:inf:log", "1:1e999:log", "1:2:logx",  "1:2:log:4x"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    if (sweep_radii_read(&r, bad[i])) fail_msg("'%s' was read", bad[i]);
  }
}

static void values(void **state) {
  (void)state;
  const sweep_radii r = {1e-300, 1e300, 7};
  assert_true(sweep_radii_at(&r, 0) == 1e-300 && sweep_radii_at(&r, 6) == 1e300);
  for (int i = 0; i < 7; i++) assert_true(fabs(log10(sweep_radii_at(&r, i)) - (100.0 * i - 300.0)) < 1e-9);
  const sweep_radii one = {3.0, 3.0, 1};
  assert_true(sweep_radii_at(&one, 0) == 3.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
