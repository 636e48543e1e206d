/* See tokenizer_assert.h. */
#include "tokenizer_assert.h"

#include "model/tokenizer/tokenizer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

void assert_token_list(const char *path, const char *text, const int *expected, int count) {
  tokenizer *const t = open_or_fail(path);
  attcert_error err = {.message = ""};
  int *tokens, got;
  if (tokenizer_encode(t, &tokens, &got, text, strlen(text), &err) != ATTCERT_OK) fail_msg("%s", err.message);
  for (int i = 0; i < got && i < count; i++) {
    if (tokens[i] != expected[i]) fail_msg("\"%s\": token %d is %d, expected %d", text, i, tokens[i], expected[i]);
  }
  if (got != count) fail_msg("\"%s\": %d tokens, expected %d", text, got, count);
  free(tokens);
  tokenizer_close(t);
}

void assert_no_tokens(const char *path, const char *text) {
  assert_token_list(path, text, NULL, 0);
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
  assert_input_error(tokenizer_encode(t, &tokens, &count, text, strlen(text), &err), &err, fragment);
  tokenizer_close(t);
}
