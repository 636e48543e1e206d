/* The first line of a sweep's file: what it says, and what is said about one that differs. */
#include "report/rows/row_header.h"
#include "report/sweep/sweep_header.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static report_subject example_subject(void) {
  static char model_path[] = "folder/tiny/model.safetensors", text_path[] = "/books/alice.txt";
  report_subject s = {.name = "folder/tiny/",
                      .from_model = true,
                      .model_layer = 6,
                      .input = "/books/alice.txt",
                      .tokenizer = "WordPiece",
                      .offset = 40,
                      .head = REPORT_WHOLE_LAYER,
                      .dim = 768,
                      .heads = 12,
                      .head_dim = 64,
                      .mask = ATTCERT_MASK_CAUSAL,
                      .file_count = 2};
  s.files[0] = (report_file){"model", model_path, "aa"};
  s.files[1] = (report_file){"text", text_path, "bb"};
  return s;
}

static char *header_of(const report_subject *subject, const attcert_options *options, int sequences, bool bounds) {
  char *line;
  const sweep_header sweep = {.schema = "attcert/sweep/1", .sequences = sequences, .bounds = bounds};
  assert_int_equal(sweep_header_write(&line, subject, options, &sweep, NULL), ATTCERT_OK);
  assert_null(strchr(line, '\n'));
  return line;
}

static char *example_header(void) {
  const report_subject subject = example_subject();
  attcert_options options;
  attcert_options_default(&options);
  return header_of(&subject, &options, 10, true);
}

static json_t *entry(json_t *root, const char *key) {
  json_t *const value = json_object_get(root, key);
  if (value == NULL) fail_msg("no entry %s", key);
  return value;
}

static void test_contents(void **state) {
  (void)state;
  char *const line = example_header();
  assert_memory_equal(line, "# {\"schema\": \"attcert/sweep/1\"", 30);
  json_t *const root = json_loads(line + 2, JSON_REJECT_DUPLICATES, NULL);
  assert_non_null(root);
  assert_string_equal(json_string_value(entry(root, "model")), "tiny");
  assert_true(json_is_null(entry(root, "seed")) && json_is_null(entry(root, "head")));
  assert_true(json_is_null(entry(root, "tolerance")));
  assert_int_equal(json_integer_value(entry(root, "layer")), 6);
  assert_int_equal(json_integer_value(entry(root, "offset")), 40);
  assert_int_equal(json_integer_value(entry(root, "sequences")), 10);
  assert_string_equal(json_string_value(entry(root, "mask")), "causal");
  assert_string_equal(json_string_value(entry(root, "text")), "alice.txt");
  assert_string_equal(json_string_value(entry(root, "tokenizer")), "WordPiece");
  assert_string_equal(json_string_value(entry(root, "engine")), "auto");
  assert_true(json_is_true(entry(root, "bounds")));
  json_t *const file = json_array_get(entry(root, "files"), 1);
  assert_string_equal(json_string_value(entry(file, "name")), "alice.txt");
  assert_string_equal(json_string_value(entry(file, "sha256")), "bb");
  json_decref(root);
  free(line);
}

/* The message about a file whose first line is `found`. */
static void refuses(const char *found, const char *named) {
  char *const expected = example_header();
  attcert_error err;
  assert_int_equal(row_header_refuse(expected, found, "a.csv", "sweep", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "a.csv: "));
  if (strstr(err.message, named) == NULL) fail_msg("'%s' does not say %s", err.message, named);
  free(expected);
}

static void test_first_difference(void **state) {
  (void)state;
  report_subject subject = example_subject();
  attcert_options options;
  attcert_options_default(&options);
  char *line = header_of(&subject, &options, 7, true);
  refuses(line, "\"sequences\" is 7, expected 10");
  free(line);
  line = header_of(&subject, &options, 10, false);
  refuses(line, "\"bounds\" is false, expected true");
  free(line);
  subject.files[1].sha256[0] = 'c';
  line = header_of(&subject, &options, 10, true);
  refuses(line, "\"files\" is ");
  free(line);
  subject.model_layer = 0;
  options.tolerance = 0.5;
  line = header_of(&subject, &options, 10, true); /* three differences: the first is named */
  refuses(line, "\"layer\" is 0, expected 6");
  free(line);
}

static void test_other_files(void **state) {
  (void)state;
  refuses("n,lower,upper", "is not the file of a sweep");
  refuses("# a comment", "is not the file of a sweep");
  refuses("# [1]", "is not the file of a sweep");
  refuses("", "is not the file of a sweep");
  refuses("# {}", "\"schema\" is missing");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contents),
      cmocka_unit_test(test_first_difference),
      cmocka_unit_test(test_other_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
