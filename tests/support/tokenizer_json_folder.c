/* See tokenizer_json_folder.h. */
#include "tokenizer_json_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *parse(const char *text) {
  json_error_t error;
  json_t *const value = json_loads(text != NULL ? text : "null", JSON_DECODE_ANY, &error);
  if (value == NULL) fail_msg("%s in %s", error.text, text);
  return value;
}

void tokenizer_json_write(const temp_folder *folder, const char *added_tokens, const char *normalizer,
                          const char *pre_tokenizer, const char *post_processor, json_t *model) {
  json_t *const all = json_pack("{s:s, s:n, s:n, s:o, s:o, s:o, s:o, s:n, s:o}", "version", "1.0", "truncation",
                                "padding", "added_tokens", parse(added_tokens != NULL ? added_tokens : "[]"),
                                "normalizer", parse(normalizer), "pre_tokenizer", parse(pre_tokenizer),
                                "post_processor", parse(post_processor), "decoder", "model", model);
  assert_non_null(all);
  char *const text = json_dumps(all, 0);
  assert_non_null(text);
  temp_folder_write(folder, "tokenizer.json", text, strlen(text));
  free(text);
  json_decref(all);
}

void tokenizer_json_write_text(const temp_folder *folder, const char *added_tokens, const char *normalizer,
                               const char *pre_tokenizer, const char *post_processor, const char *model) {
  tokenizer_json_write(folder, added_tokens, normalizer, pre_tokenizer, post_processor, parse(model));
}

/* Calls add on every line, without its newline. */
static void for_each_line(const char *path, void (*add)(json_t *to, const char *line, int number, bool flag),
                          json_t *to, bool flag) {
  FILE *const file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  assert_non_null(file);
  for (int number = 0; (length = getline(&line, &room, file)) > 0; number++) {
    if (line[length - 1] == '\n') line[length - 1] = '\0';
    add(to, line, number, flag);
  }
  free(line);
  fclose(file);
}

static void add_token(json_t *to, const char *line, int number, bool flag) {
  (void)flag;
  assert_int_equal(json_object_set_new(to, line, json_integer(number)), 0);
}

static void add_merge(json_t *to, const char *line, int number, bool as_pairs) {
  const char *const space = strchr(line, ' ');
  if (number == 0) return; /* #version */
  assert_non_null(space);
  json_t *const merge = as_pairs ? json_pack("[s%, s]", line, (size_t)(space - line), space + 1) : json_string(line);
  assert_int_equal(json_array_append_new(to, merge), 0);
}

json_t *tokenizer_json_vocabulary(const char *path) {
  json_t *const vocabulary = json_object();
  for_each_line(path, add_token, vocabulary, false);
  return vocabulary;
}

json_t *tokenizer_json_merges(const char *path, bool as_pairs) {
  json_t *const merges = json_array();
  for_each_line(path, add_merge, merges, as_pairs);
  return merges;
}
