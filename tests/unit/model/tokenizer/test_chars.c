/* One character a token. */
#include "model/tokenizer/tokenizer.h"
#include "temp_folder.h"
#include "test_data.h"
#include "tokenizer_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static temp_folder folder;
static char path[512], text_path[512];

static const char *vocabulary(const char *json) {
  temp_folder_write(&folder, "vocab.json", json, strlen(json));
  return folder.path;
}

static int make_folder(void **state) {
  (void)state;
  temp_folder_init(&folder);
  temp_folder_path(path, &folder, "vocab.json");
  temp_folder_path(text_path, &folder, "text.txt");
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  temp_folder_clear(&folder);
  return 0;
}

static void a_token_a_character(void **state) {
  (void)state;
  vocabulary("{\"\\n\": 0, \"a\": 1, \"é\": 2, \"中\": 3, \"😀\": 4, \"\\u0301\": 5}");
  assert_tokens(folder.path, "aé中😀\na", 1, 2, 3, 4, 0, 1);
  assert_tokens(path, "a\xCC\x81", 1, 5); /* characters are code points; the file itself is a path too */
  assert_no_tokens(path, "");
}

static void ids_need_not_be_consecutive(void **state) {
  (void)state;
  tokenizer *t;
  assert_int_equal(tokenizer_open(&t, vocabulary("{\"a\": 7, \"b\": 3}"), NULL), ATTCERT_OK);
  assert_string_equal(tokenizer_piece(t, 7), "a");
  assert_string_equal(tokenizer_piece(t, 3), "b");
  assert_null(tokenizer_piece(t, 4));
  assert_null(tokenizer_piece(t, -1));
  assert_false(tokenizer_adds_special(t));
  tokenizer_close(t);
  assert_tokens(folder.path, "abba", 7, 3, 3, 7);
}

static void unknown_character(void **state) {
  (void)state;
  vocabulary("{\"a\": 0, \"é\": 1}");
  assert_text_refused(folder.path, "aé中a", "character \"中\" (number 2, at byte 3) is not in the vocabulary");
}

static attcert_status read_text(int *tokens, int n, int offset, attcert_error *err) {
  tokenizer *t;
  assert_int_equal(tokenizer_open(&t, folder.path, NULL), ATTCERT_OK);
  const attcert_status status = read_window(tokens, t, n, offset, text_path, err);
  tokenizer_close(t);
  return status;
}

static void unknown_characters_count_where_not_asked_for(void **state) {
  (void)state;
  vocabulary("{\"a\": 0, \"b\": 1}");
  temp_folder_write(&folder, "text.txt", "[ab]b", 5);
  int tokens[3] = {-1, -1, -1};
  attcert_error err;
  assert_int_equal(read_text(tokens, 2, 1, &err), ATTCERT_OK);
  assert_int_equal(tokens[0], 0);
  assert_int_equal(tokens[1], 1);
  assert_int_equal(read_text(tokens, 3, 1, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "text.txt: character \"]\" (number 3"));
}

static void bad_vocabularies(void **state) {
  (void)state;
  assert_tokenizer_refused(vocabulary("{\"a\": 0, \"ab\": 1}"), "token \"ab\" is not a single character");
  assert_tokenizer_refused(vocabulary("{\"a\": 0, \"b\": 0}"), "tokens \"a\" and \"b\" have the same id 0");
  assert_tokenizer_refused(vocabulary("{\"a\": 0, \"a\": 1}"), "vocab.json");
  assert_tokenizer_refused(vocabulary("{\"a\": 0, \"\": 1}"), "token \"\" is not a single character");
  assert_tokenizer_refused(vocabulary("{\"a\": -1}"), "key 'a' is -1");
  assert_tokenizer_refused(vocabulary("{\"a\": \"0\"}"), "key 'a'");
  assert_tokenizer_refused(vocabulary("{\"\xFF\": 0}"), "vocab.json");
  assert_tokenizer_refused(vocabulary("{}"), "empty vocabulary");
}

/* The first character of Alice is a bracket, which this model's vocabulary lacks; its text proper starts at 57. */
static void character_model_on_alice(void **state) {
  (void)state;
  char model[512], alice[512];
  tokenizer *t;
  int tokens[64];
  attcert_error err;
  test_data_path(model, "models/char-gpt");
  test_data_path(alice, "text/carroll-alice.txt");
  assert_int_equal(tokenizer_open(&t, model, NULL), ATTCERT_OK);
  assert_string_equal(tokenizer_kind(t), "characters");
  assert_non_null(tokenizer_piece(t, 64));
  assert_null(tokenizer_piece(t, 65));
  assert_int_equal(read_window(tokens, t, 64, 0, alice, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "character \"[\" (number 0"));
  assert_int_equal(read_window(tokens, t, 64, 57, alice, NULL), ATTCERT_OK);
  assert_int_equal(tokens[1], 15); /* C of CHAPTER */
  tokenizer_close(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_token_a_character), cmocka_unit_test(ids_need_not_be_consecutive),
      cmocka_unit_test(unknown_character),   cmocka_unit_test(unknown_characters_count_where_not_asked_for),
      cmocka_unit_test(bad_vocabularies),    cmocka_unit_test(character_model_on_alice),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
