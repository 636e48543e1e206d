/* The clock counts seconds, and never back. */
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

static void test_never_goes_back(void **state) {
  (void)state;
  double last = clock_seconds();
  for (int i = 0; i < 100000; i++) {
    const double now = clock_seconds();
    assert_true(now >= last);
    last = now;
  }
}

static void test_counts_seconds(void **state) {
  (void)state;
  const struct timespec pause = {.tv_nsec = 30000000};
  const double start = clock_seconds();
  assert_int_equal(nanosleep(&pause, NULL), 0);
  const double elapsed = clock_seconds() - start;
  assert_true(elapsed >= 0.0299 && elapsed < 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_never_goes_back), cmocka_unit_test(test_counts_seconds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
