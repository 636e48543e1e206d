/* See token_pieces.h. */
#include "token_pieces.h"

#include "tokenizer_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Gives every added token the id of the vocabulary, or the next one. */
static void number_tokens(json_t *added, const json_t *vocabulary) {
  size_t i;
  json_t *token;
  int next = (int)json_object_size(vocabulary);
  json_array_foreach(added, i, token) {
    const json_t *const id = json_object_get(vocabulary, json_string_value(json_object_get(token, "content")));
    if (json_object_get(token, "id") != NULL) continue;
    json_object_set_new(token, "id", json_integer(id != NULL ? json_integer_value(id) : next++));
  }
}

void write_pieces(const char *added, const char *normalizer, const char *pre_tokenizer, const char *post_processor,
                  const char *const *pieces) {
  json_t *const vocabulary = json_object();
  json_t *const tokens = added != NULL ? json_loads(added, 0, NULL) : json_array();
  int next = 0;
  assert_non_null(tokens);
  for (; *pieces != NULL; pieces++) {
    if (json_object_get(vocabulary, *pieces) == NULL) json_object_set_new(vocabulary, *pieces, json_integer(next++));
  }
  number_tokens(tokens, vocabulary);
  char *const text = json_dumps(tokens, 0);
  tokenizer_json_write(&temp_folder_shared, text, normalizer, pre_tokenizer, post_processor,
                       json_pack("{s:s, s:s, s:o}", "type", "WordLevel", "unk_token", "", "vocab", vocabulary));
  free(text);
  json_decref(tokens);
}

void assert_pieces(const char *added, const char *normalizer, const char *pre_tokenizer, const char *text,
                   const char *const *pieces) {
  tokenizer *t;
  int *ids, count, wanted = 0;
  attcert_error err = {.message = ""};
  write_pieces(added, normalizer, pre_tokenizer, NULL, pieces);
  if (tokenizer_open(&t, temp_folder_shared.path, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  if (tokens_of_text(&ids, &count, t, text, strlen(text), false, &err) != ATTCERT_OK)
    fail_msg("\"%s\": %s", text, err.message);
  while (pieces[wanted] != NULL) wanted++;
  for (int i = 0; i < count && i < wanted; i++) assert_string_equal(tokenizer_piece(t, ids[i]), pieces[i]);
  assert_int_equal(count, wanted);
  free(ids);
  tokenizer_close(t);
}

void refuse_parts(const char *added, const char *normalizer, const char *pre_tokenizer, const char *post_processor,
                  const char *fragment) {
  write_pieces(added, normalizer, pre_tokenizer, post_processor, PIECES("a", "b"));
  assert_tokenizer_refused(temp_folder_shared.path, fragment);
}
