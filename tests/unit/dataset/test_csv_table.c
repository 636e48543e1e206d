/* Tables of RFC 4180, against cells written out by hand; and what is put is read back. */
#include "dataset/csv_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static csv_table table_of(const char *text) {
  csv_table t;
  attcert_error err = {.message = ""};
  if (csv_table_parse(&t, text, strlen(text), &err) != ATTCERT_OK) fail_msg("%s: %s", text, err.message);
  return t;
}

static void assert_row(const csv_table *t, int i, int line, int cells, const char *const *cell) {
  assert_true(i < t->rows);
  assert_int_equal(t->line[i], line);
  assert_int_equal(csv_table_cells(t, i), cells);
  for (int k = 0; k < cells; k++) assert_string_equal(csv_table_cell(t, i, k), cell[k]);
}

static void reads_cells(void **state) {
  (void)state;
  csv_table t = table_of("a,b\r\n\n\"x, \"\"y\"\"\nz\",\n,\"\"\n0");
  assert_int_equal(t.rows, 4);
  assert_row(&t, 0, 1, 2, (const char *[]){"a", "b"});
  assert_row(&t, 1, 3, 2, (const char *[]){"x, \"y\"\nz", ""});
  assert_row(&t, 2, 5, 2, (const char *[]){"", ""});
  assert_row(&t, 3, 6, 1, (const char *[]){"0"});
  csv_table_clear(&t);
  t = table_of("");
  assert_int_equal(t.rows, 0);
  csv_table_clear(&t);
}

static void refuses(const char *text, size_t size, const char *message) {
  csv_table t;
  attcert_error err = {.message = ""};
  assert_int_equal(csv_table_parse(&t, text, size, &err), ATTCERT_INPUT);
  if (strstr(err.message, message) == NULL) fail_msg("'%s' does not say '%s'", err.message, message);
  csv_table_clear(&t);
}

static void refuses_others(void **state) {
  (void)state;
  refuses("a\n\"b\nc", 6, "line 2: a quote that is not closed");
  refuses("a,b\"c\"", 6, "line 1: a quote within a cell");
  refuses("\"a\"b", 4, "line 1: text behind a quote");
  refuses("a\0b", 3, "a zero byte");
}

static void puts_back(void **state) {
  static const char *const cells[] = {"", "plain", "a,b", "\"", "two\nlines", "a \"quoted\", b", "\r"};
  enum { COUNT = sizeof cells / sizeof cells[0] };
  char *text = NULL;
  size_t length = 0;
  (void)state;
  FILE *const out = open_memstream(&text, &length);
  for (int k = 0; k < COUNT; k++) {
    if (k > 0) fputc(',', out);
    csv_table_put(out, cells[k]);
  }
  fclose(out);
  csv_table t = table_of(text);
  assert_row(&t, 0, 1, COUNT, cells);
  csv_table_clear(&t);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_cells), cmocka_unit_test(refuses_others),
                                     cmocka_unit_test(puts_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
