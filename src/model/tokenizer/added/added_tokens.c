/* See added_tokens.h: the list of them. */
#include "model/tokenizer/added/added_tokens.h"

#include "base/arrays.h"
#include "base/growing_array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const added_token *added_tokens_find(const added_tokens *a, const char *content) {
  for (size_t i = 0; i < a->count; i++) {
    if (strcmp(a->token[i].content, content) == 0) return &a->token[i];
  }
  return NULL;
}

const added_token *added_tokens_with_id(const added_tokens *a, int id) {
  for (size_t i = 0; i < a->count; i++) {
    if (a->token[i].id == id) return &a->token[i];
  }
  return NULL;
}

static bool same(const added_token *a, const added_token *b) {
  return (a->id == b->id || b->id == ADDED_TOKEN_ID) && a->single_word == b->single_word && a->lstrip == b->lstrip &&
         a->rstrip == b->rstrip && a->normalized == b->normalized && a->special == b->special;
}

static attcert_status append(added_tokens *a, const added_token *token, attcert_error *err) {
  if (a->count == ADDED_TOKENS_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "more than %d added tokens, expected fewer", ADDED_TOKENS_MAX);
  const attcert_status room =
      growing_array_room(&a->token, &a->capacity, a->count, sizeof *a->token, err, "a list of added tokens");
  if (room != ATTCERT_OK) return room;
  a->token[a->count] = *token;
  a->token[a->count].content = strdup(token->content);
  if (a->token[a->count].content == NULL) return array_out_of_memory(err, strlen(token->content) + 1, "an added token");
  a->count++;
  return ATTCERT_OK;
}

attcert_status added_tokens_add(added_tokens *a, const added_token *token, const char *path, attcert_error *err) {
  const added_token *const there = added_tokens_find(a, token->content);
  if (token->content[0] == '\0')
    return attcert_fail(err, ATTCERT_INPUT, "%s: an added token is empty, expected a text", path);
  if (there == NULL) return append(a, token, err);
  if (same(there, token)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: the added token \"%.64s\" comes twice with other settings, expected once", path,
                      token->content);
}

attcert_status added_tokens_read(added_tokens *a, const component *c, int id, attcert_error *err) {
  static const char *const keys[] = {"id",         "content", "single_word", "lstrip", "rstrip",
                                     "normalized", "special", "__type",      NULL};
  added_token token = {.id = id, .normalized = true};
  const char *content = NULL;
  attcert_status status = component_check_keys(c, keys, err);
  if (status == ATTCERT_OK) status = component_integer(&token.id, c, "id", 0, INT_MAX - 1, err);
  if (status == ATTCERT_OK) status = component_required_string(&content, c, "content", err);
  if (status == ATTCERT_OK) status = component_bool(&token.special, c, "special", err);
  token.normalized = !token.special;
  if (status == ATTCERT_OK) status = component_bool(&token.single_word, c, "single_word", err);
  if (status == ATTCERT_OK) status = component_bool(&token.lstrip, c, "lstrip", err);
  if (status == ATTCERT_OK) status = component_bool(&token.rstrip, c, "rstrip", err);
  if (status == ATTCERT_OK) status = component_bool(&token.normalized, c, "normalized", err);
  if (status != ATTCERT_OK) return status;
  token.content = (char *)content;
  return added_tokens_add(a, &token, c->path, err);
}

void added_tokens_clear(added_tokens *a) {
  for (size_t i = 0; i < a->count; i++) free(a->token[i].content);
  free(a->token);
  vocabulary_clear(&a->as_is);
  vocabulary_clear(&a->normal);
  *a = (added_tokens){.count = 0};
}

/* ---- finishing --------------------------------------------------------------------------------------------------- */

/* The ids that tokenizers gives in this order. */
static attcert_status number_tokens(added_tokens *a, const vocabulary *v, int size, const char *path,
                                    attcert_error *err) {
  int largest = -1;
  for (size_t i = 0; i < a->count; i++) {
    added_token *const token = &a->token[i];
    int id = vocabulary_find_string(v, token->content);
    if (id < 0) id = largest >= size ? largest + 1 : size;
    if (id > INT_MAX - 2) return attcert_fail(err, ATTCERT_INPUT, "%s: too many tokens, expected fewer", path);
    if (token->id != ADDED_TOKEN_ID && token->id != id)
      return attcert_fail(err, ATTCERT_INPUT,
                          "%s: the added token \"%.64s\" has id %d, expected %d: that of the "
                          "vocabulary, or the next one",
                          path, token->content, token->id, id);
    token->id = id;
    if (id > largest) largest = id;
  }
  return ATTCERT_OK;
}

static bool has_form(const added_tokens *a, const text_builder *form) {
  for (size_t i = 0; i < a->normal.count; i++) {
    const char *const token = a->normal.entry[i].token;
    if (strlen(token) == form->length && memcmp(token, form->data, form->length) == 0) return true;
  }
  return false;
}

/* Of two tokens with the same form the first one is found. */
static attcert_status add_normal_form(added_tokens *a, size_t i, const normalizer *n, const char *path,
                                      attcert_error *err) {
  normal_text form = {.at_start = true};
  const char *const content = a->token[i].content;
  attcert_status status = text_builder_append_string(&form.text, content, err);
  if (status == ATTCERT_OK) status = normalizer_apply(n, &form, err);
  if (status == ATTCERT_OK && form.text.length == 0)
    status = attcert_fail(err, ATTCERT_INPUT,
                          "%s: the normal form of the added token \"%.64s\" is empty, expected a "
                          "text",
                          path, content);
  if (status == ATTCERT_OK && !has_form(a, &form.text))
    status = vocabulary_add(&a->normal, form.text.data, form.text.length, (int)i, path, err);
  text_builder_clear(&form.text);
  return status;
}

/* Special tokens come first. */
static attcert_status collect(added_tokens *a, bool special, const normalizer *n, const char *path,
                              attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < a->count; i++) {
    const added_token *const token = &a->token[i];
    if (token->special != special) continue;
    status = token->normalized ? add_normal_form(a, i, n, path, err)
                               : vocabulary_add(&a->as_is, token->content, strlen(token->content), (int)i, path, err);
  }
  return status;
}

attcert_status added_tokens_finish(added_tokens *a, const vocabulary *v, int size, const normalizer *n,
                                   const char *path, attcert_error *err) {
  attcert_status status = number_tokens(a, v, size, path, err);
  if (status == ATTCERT_OK) status = collect(a, true, n, path, err);
  if (status == ATTCERT_OK) status = collect(a, false, n, path, err);
  if (status == ATTCERT_OK && a->as_is.count > 0) status = vocabulary_finish(&a->as_is, false, path, err);
  if (status == ATTCERT_OK && a->normal.count > 0) status = vocabulary_finish(&a->normal, false, path, err);
  return status;
}
