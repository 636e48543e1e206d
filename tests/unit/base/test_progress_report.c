/* What a progress callback is told, and what its answer does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/progress_report.h"

static int answer(void *context, const char *stage, double done) {
  assert_string_equal(stage, "Lanczos");
  assert_true(done == 0.25);
  return *(const int *)context;
}

static void test_answers(void **state) {
  (void)state;
  static const attcert_process_group group = {.rank = 0, .size = 2};
  static const struct {
    int answer;
    const attcert_process_group *group;
    attcert_status status;
  } cases[] = {
      {0, NULL, ATTCERT_OK}, {1, NULL, ATTCERT_CANCELLED}, {-1, NULL, ATTCERT_CANCELLED}, {1, &group, ATTCERT_OK}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int value = cases[i].answer;
    attcert_error err = {.message = ""};
    const attcert_options options = {.group = cases[i].group, .progress = answer, .progress_context = &value};
    assert_int_equal(progress_report(&options, "Lanczos", 0.25, &err), cases[i].status);
    assert_string_equal(err.message, cases[i].status == ATTCERT_OK ? "" : "cancelled at: Lanczos");
  }
}

static void test_nobody_asked(void **state) {
  (void)state;
  const attcert_options options = {.progress = NULL};
  assert_int_equal(progress_report(NULL, "Lanczos", 0.0, NULL), ATTCERT_OK);
  assert_int_equal(progress_report(&options, "Lanczos", 0.0, NULL), ATTCERT_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_nobody_asked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
