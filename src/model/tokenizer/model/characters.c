/* See characters.h. */
#include "model/tokenizer/model/characters.h"

#include "model/tokenizer/model/token_model_kind.h"
#include "model/tokenizer/text/character.h"

#include <stdio.h>
#include <string.h>

/* ---- characters -------------------------------------------------------------------------------------------------- */

static attcert_status check_tokens(const vocabulary *v, const char *path, attcert_error *err) {
  for (size_t i = 0; i < v->count; i++) {
    const char *const token = v->entry[i].token;
    if (strlen(token) != character_length(token))
      return attcert_fail(
          err, ATTCERT_INPUT,
          "%s: token \"%.64s\" is not a single character (a vocabulary of longer tokens needs a merges.txt beside it)",
          path, token);
  }
  return ATTCERT_OK;
}

attcert_status characters_open(token_model **m, vocabulary *v, const char *path, attcert_error *err) {
  *m = NULL;
  attcert_status status = check_tokens(v, path, err);
  if (status == ATTCERT_OK) status = token_model_new(m, &token_model_characters, err);
  if (status == ATTCERT_OK)
    (*m)->vocabulary = *v;
  else
    vocabulary_clear(v);
  return status;
}

static attcert_status characters_encode(const token_model *m, token_window *out, const char *text, size_t length,
                                        attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  size_t at = 0;
  while (status == ATTCERT_OK && at < length && !token_window_full(out)) {
    const size_t bytes = character_length(text + at);
    const int id = vocabulary_find(&m->vocabulary, text + at, bytes);
    if (id < 0 && token_window_keeps(out))
      return attcert_fail(
          err, ATTCERT_INPUT,
          "character \"%.*s\" (number %zu, at byte %zu) is not in the vocabulary, expected a text of its "
          "characters, or an offset that avoids it",
          (int)bytes, text + at, out->seen, at);
    status = token_window_push(out, id, err);
    at += bytes;
  }
  return status;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

attcert_status bytes_open(token_model **m, attcert_error *err) {
  attcert_status status = token_model_new(m, &token_model_bytes, err);
  for (int byte = 0; status == ATTCERT_OK && byte < 256; byte++) {
    char name[8];
    snprintf(name, sizeof name, byte > ' ' && byte < 0x7F ? "%c" : "<0x%02X>", byte);
    status = vocabulary_add(&(*m)->vocabulary, name, strlen(name), byte, "bytes", err);
  }
  if (status == ATTCERT_OK) status = vocabulary_finish(&(*m)->vocabulary, false, "bytes", err);
  if (status == ATTCERT_OK || *m == NULL) return status;
  token_model_close(*m);
  *m = NULL;
  return status;
}

static attcert_status bytes_encode(const token_model *m, token_window *out, const char *text, size_t length,
                                   attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  (void)m;
  for (size_t i = 0; status == ATTCERT_OK && i < length && !token_window_full(out); i++)
    status = token_window_push(out, (unsigned char)text[i], err);
  return status;
}

const token_model_kind token_model_characters = {NULL, "characters", NULL, NULL, characters_encode, NULL};
const token_model_kind token_model_bytes = {NULL, "bytes", NULL, NULL, bytes_encode, NULL};
