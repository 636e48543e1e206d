/* The lengths of a sweep: what is read, and what is refused. */
#include "report/sweep/sweep_range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_ranges(void **state) {
  (void)state;
  static const struct {
    const char *text;
    sweep_range range;
    int largest;
  } cases[] = {
      {"2:100:2", {2, 100, 2}, 100},   {"1:10:4", {1, 10, 4}, 9},    {"7", {7, 7, 1}, 7},
      {"3:5", {3, 5, 1}, 5},           {"4:4:9", {4, 4, 9}, 4},      {"32768", {32768, 32768, 1}, 32768},
      {"2:3:32768", {2, 3, 32768}, 2}, {"002:004:01", {2, 4, 1}, 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sweep_range range;
    if (!sweep_range_read(&range, cases[i].text)) fail_msg("'%s' was refused", cases[i].text);
    assert_int_equal(range.first, cases[i].range.first);
    assert_int_equal(range.last, cases[i].range.last);
    assert_int_equal(range.step, cases[i].range.step);
    assert_int_equal(sweep_range_largest(&range), cases[i].largest);
  }
}

static void test_refused(void **state) {
  (void)state;
  static const char *const cases[] = {"",
                                      "0",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "2:",
                                      ":2",
                                      "2:1",
                                      "2:4:0",
                                      "2:4:-1",
                                      "2:4:",
                                      "2:4:1:1",
                                      "2:4:1x",
                                      "2,4",
                                      "2::2",
                                      "32769",
                                      "1:32769",
                                      "1:2:32769",
                                      "99999999999999999999",
                                      "1:99999999999999999999",
                                      "0x2",
                                      "2.5",
                                      "n"};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sweep_range range;
    if (sweep_range_read(&range, cases[i])) fail_msg("'%s' was read", cases[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
