/* See tokenizer_assert.h. */
#include "tokenizer_assert.h"

#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

attcert_status tokens_of_text(int **tokens, int *count, const tokenizer *t, const char *text, size_t length,
                              bool special, attcert_error *err) {
  temp_folder folder;
  char path[512];
  temp_folder_init(&folder);
  temp_folder_write(&folder, "text", text, length);
  const tokenizer_span span = {.special = special};
  const attcert_status status =
      tokenizer_sequence(tokens, count, NULL, t, &span, temp_folder_path(path, &folder, "text"), err);
  temp_folder_clear(&folder);
  return status;
}

attcert_status read_window(int *tokens, const tokenizer *t, int n, int offset, const char *text_path,
                           attcert_error *err) {
  const tokenizer_span span = {.offset = offset, .n = n};
  int *ids, count;
  const attcert_status status = tokenizer_sequence(&ids, &count, NULL, t, &span, text_path, err);
  if (status != ATTCERT_OK) return status;
  assert_int_equal(count, n);
  memcpy(tokens, ids, (size_t)count * sizeof *tokens);
  free(ids);
  return ATTCERT_OK;
}

static tokenizer *open_or_fail(const char *path) {
  tokenizer *t;
  attcert_error err = {.message = ""};
  if (tokenizer_open(&t, path, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  return t;
}

static void assert_input_error(attcert_status status, const attcert_error *err, const char *fragment) {
  assert_int_equal(status, ATTCERT_INPUT);
  assert_int_equal(err->status, ATTCERT_INPUT);
  if (strstr(err->message, fragment) == NULL) fail_msg("\"%s\" does not say \"%s\"", err->message, fragment);
}

static void assert_list(const char *path, const char *text, bool special, const int *expected, int count) {
  tokenizer *const t = open_or_fail(path);
  attcert_error err = {.message = ""};
  int *tokens, got;
  if (tokens_of_text(&tokens, &got, t, text, strlen(text), special, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  for (int i = 0; i < got && i < count; i++) {
    if (tokens[i] != expected[i]) fail_msg("\"%s\": token %d is %d, expected %d", text, i, tokens[i], expected[i]);
  }
  if (got != count) fail_msg("\"%s\": %d tokens, expected %d", text, got, count);
  free(tokens);
  tokenizer_close(t);
}

void assert_token_list(const char *path, const char *text, const int *expected, int count) {
  assert_list(path, text, false, expected, count);
}

void assert_special_list(const char *path, const char *text, const int *expected, int count) {
  assert_list(path, text, true, expected, count);
}

void assert_no_tokens(const char *path, const char *text) {
  assert_text_refused(path, text, "the text has 0");
}

void assert_tokenizer_refused(const char *path, const char *fragment) {
  tokenizer *t;
  attcert_error err = {.message = ""};
  assert_input_error(tokenizer_open(&t, path, &err), &err, fragment);
  assert_null(t);
}

void assert_text_refused(const char *path, const char *text, const char *fragment) {
  tokenizer *const t = open_or_fail(path);
  attcert_error err = {.message = ""};
  int *tokens, count;
  assert_input_error(tokens_of_text(&tokens, &count, t, text, strlen(text), false, &err), &err, fragment);
  tokenizer_close(t);
}
