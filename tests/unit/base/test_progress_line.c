/* The progress line: drawn on a terminal only, at most ten times a second, erased at the end. */
#include "base/progress_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What `updates` updates in a row write. */
static char *written(bool terminal, int updates) {
  char *text;
  size_t size;
  FILE *const stream = open_memstream(&text, &size);
  progress_line line;
  progress_line_start(&line, stream, terminal);
  for (int i = 0; i < updates; i++) progress_line_update(&line, "upper bound", 0.25);
  progress_line_end(&line);
  fclose(stream);
  return text;
}

static void test_no_terminal(void **state) {
  (void)state;
  char *const text = written(false, 100);
  assert_string_equal(text, "");
  free(text);
}

static void test_drawn_and_erased(void **state) {
  (void)state;
  char *const text = written(true, 1);
  assert_string_equal(text, "\r\033[Kupper bound  25 %\r\033[K");
  free(text);
}

/* A stage without a percentage, and one too long for a line of 80 columns. */
static void test_stages(void **state) {
  (void)state;
  char *text;
  size_t size;
  const char *const long_stage = "engine dense, N = 8192, 0.75 GiB of memory, about 20 seconds; memory ran out, so the "
                                 "upper end is the pointwise bound";
  FILE *const stream = open_memstream(&text, &size);
  progress_line line;
  progress_line_start(&line, stream, true);
  progress_line_update(&line, long_stage, 0);
  fclose(stream);
  assert_int_equal(strlen(text), strlen("\r\033[K") + 72);
  assert_null(strchr(text, '%'));
  free(text);
}

static void test_nothing_to_erase(void **state) {
  (void)state;
  char *const text = written(true, 0);
  assert_string_equal(text, "");
  free(text);
}

static void test_time_left(void **state) {
  (void)state;
  static const struct {
    double seconds, first, done;
    const char *text;
  } of[] = {
      {10, 0, 0.25, ", 30 s left"},
      {10, 0.5, 0.75, ", 10 s left"},
      {100, 0, 0.1, ", 15 min left"},
      {3600, 0, 0.1, ", 9 h left"},
      {5, 0, 1, ", 0 s left"},
      {1e9, 0, 0.01, ", 99 h left"},
      {1, 0, 0.5, ""} /* too short */,
      {10, 0.5, 0.505, ""},
      {10, 0, 1.5, ""},
      {10, 0.5, 0.25, ""},
  };
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
    char text[PROGRESS_TIME_SIZE];
    assert_string_equal(progress_line_remaining(text, of[i].seconds, of[i].first, of[i].done), of[i].text);
    assert_true(strlen(text) + 56 + strlen(" 100 %") < 80);
  }
}

static void test_not_too_often(void **state) {
  (void)state;
  char *const text = written(true, 1000); /* far less than a second's worth */
  int drawn = 0;
  for (const char *c = text; (c = strstr(c, "upper")) != NULL; c++) drawn++;
  assert_in_range(drawn, 1, 10);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_terminal),   cmocka_unit_test(test_drawn_and_erased),
      cmocka_unit_test(test_stages),        cmocka_unit_test(test_nothing_to_erase),
      cmocka_unit_test(test_not_too_often), cmocka_unit_test(test_time_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
