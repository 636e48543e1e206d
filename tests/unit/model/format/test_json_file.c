/* Strict JSON: typed values come back, and every other text is refused with the file and the key named. */
#include "model/format/json_file.h"

#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static attcert_status open_text(json_file *file, const void *text, size_t size, attcert_error *err) {
  temp_folder folder;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "config.json", text, size);
  char path[512];
  const attcert_status status = json_file_open(file, temp_folder_path(path, &folder, "config.json"), err);
  temp_folder_clear(&folder);
  return status;
}

static void assert_text_refused(const void *text, size_t size, const char *reason) {
  json_file file;
  attcert_error err;
  assert_int_equal(open_text(&file, text, size, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "config.json"));
  if (strstr(err.message, reason) == NULL) fail_msg("expected \"%s\" in: %s", reason, err.message);
  json_file_close(&file); /* harmless */
}

static void typed_values(void **state) {
  (void)state;
  static const char text[] =
      "{\"n\": 12, \"eps\": 1e-12, \"whole\": 2, \"act\": \"gelu\", \"yes\": true, \"none\": null}";
  json_file file;
  attcert_error err;
  assert_int_equal(open_text(&file, text, sizeof text - 1, &err), ATTCERT_OK);
  int n;
  double eps, whole;
  bool yes;
  const char *act;
  assert_int_equal(json_file_int(&n, &file, "n", 1, 12, &err), ATTCERT_OK);
  assert_int_equal(json_file_real(&eps, &file, "eps", &err), ATTCERT_OK);
  assert_int_equal(json_file_real(&whole, &file, "whole", &err), ATTCERT_OK);
  assert_int_equal(json_file_string(&act, &file, "act", &err), ATTCERT_OK);
  assert_int_equal(json_file_bool(&yes, &file, "yes", &err), ATTCERT_OK);
  assert_int_equal(n, 12);
  assert_true(eps == 1e-12 && whole == 2.0 && yes);
  assert_string_equal(act, "gelu");
  assert_true(json_file_has(&file, "n"));
  assert_false(json_file_has(&file, "none"));
  assert_false(json_file_has(&file, "missing"));
  json_file_close(&file);
}

/* `before`, then `count` times `item`, then `after`. */
static void assert_repeated(const char *before, const char *item, size_t count, const char *after, const char *reason) {
  const size_t length = strlen(item), lead = strlen(before);
  char *const text = malloc(lead + count * length + strlen(after) + 1);
  json_file file;
  assert_non_null(text);
  memcpy(text, before, lead);
  for (size_t i = 0; i < count; i++) memcpy(text + lead + i * length, item, length);
  strcpy(text + lead + count * length, after);
  if (reason != NULL) {
    assert_text_refused(text, strlen(text), reason);
  } else {
    assert_int_equal(open_text(&file, text, strlen(text), NULL), ATTCERT_OK);
    json_file_close(&file);
  }
  free(text);
}

static void size_and_depth_are_bounded(void **state) {
  (void)state;
  assert_repeated("{\"a\": \"", "x", 1 << 24, "\"}", "16777225 bytes of JSON, expected at most 16777216");
  assert_repeated("{\"a\": [", "[],", 3000000, "0]}", "JSON of more than 524288 values, expected fewer");
  assert_repeated("{\"a\": [", "0,", 4000000, "0]}", "JSON of more than 524288 values, expected fewer");
  assert_repeated("{\"a\": [", "0,", 524000, "0]}", NULL);
  assert_repeated("{\"a\": [0", "]", 1, "}", NULL);
  assert_repeated("{\"a\":", "[", 32, "", "JSON of a depth over 32, expected less");
  assert_repeated("{\"a\": \"\\\\\\\"", "[,", 3000000, "\"}", NULL); /* in a string nothing counts */
  assert_repeated("{\"a\": [0", "],\"\\\"[\": [0", 1, "]}", NULL);
}

static void wrong_values_name_the_key(void **state) {
  (void)state;
  static const char text[] = "{\"n\": 12, \"real\": 2.0, \"act\": \"gelu\", \"none\": null, \"big\": 4294967296}";
  json_file file;
  attcert_error err;
  assert_int_equal(open_text(&file, text, sizeof text - 1, &err), ATTCERT_OK);
  int n;
  double real;
  bool flag;
  const char *word;
  assert_int_equal(json_file_int(&n, &file, "layers", 1, 99, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "key 'layers' is missing, expected an integer"));
  assert_int_equal(json_file_int(&n, &file, "real", 1, 99, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "key 'real' is a number with a fraction, expected an integer"));
  assert_int_equal(json_file_int(&n, &file, "n", 13, 99, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "key 'n' is 12, expected 13 to 99"));
  assert_int_equal(json_file_int(&n, &file, "n", 1, 11, &err), ATTCERT_INPUT);
  assert_int_equal(json_file_int(&n, &file, "big", 0, 2147483647, &err), ATTCERT_INPUT);
  assert_int_equal(json_file_real(&real, &file, "act", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "key 'act' is a string, expected a number"));
  assert_int_equal(json_file_bool(&flag, &file, "n", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "expected true or false"));
  assert_int_equal(json_file_string(&word, &file, "none", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "key 'none' is null, expected a string"));
  json_file_close(&file);
}

static void texts_that_are_no_strict_json(void **state) {
  (void)state;
  assert_text_refused("", 0, "expected UTF-8 JSON");
  assert_text_refused("{\"a\": 1", 7, "expected UTF-8 JSON");
  assert_text_refused("{\"a\": 1, \"a\": 1}", 16, "duplicate object key");
  assert_text_refused("{\"a\": \"\xff\"}", 10, "UTF-8");
  assert_text_refused("{\"a\": \"\xc0\x80\"}", 11, "UTF-8"); /* overlong */
  assert_text_refused("{\"a\": \"\\u0000\"}", 15, "\\u0000");
  assert_text_refused("{} x", 4, "end of file expected");
  assert_text_refused("{}\0", 3, "expected UTF-8 JSON");
  assert_text_refused("[1, 2]", 6, "expected a JSON object");
  assert_text_refused("{\"a\": 99999999999999999999}", 27, "too big integer");
  assert_text_refused("{\"a\": 1e999}", 12, "real number overflow");
  assert_text_refused("{\"a\": NaN}", 10, "expected UTF-8 JSON");
}

static void nesting_is_bounded(void **state) {
  (void)state;
  static char text[1 << 20];
  memset(text, '[', sizeof text);
  memcpy(text, "{\"a\":", 5);
  assert_text_refused(text, sizeof text, "depth");
}

static void missing_files_are_named(void **state) {
  (void)state;
  json_file file;
  attcert_error err;
  assert_int_equal(json_file_open(&file, "/nonexistent/config.json", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "/nonexistent/config.json"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(typed_values),
      cmocka_unit_test(size_and_depth_are_bounded),
      cmocka_unit_test(wrong_values_name_the_key),
      cmocka_unit_test(texts_that_are_no_strict_json),
      cmocka_unit_test(nesting_is_bounded),
      cmocka_unit_test(missing_files_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
