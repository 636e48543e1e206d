/* See characters.h. */
#include "model/tokenizer/characters.h"

#include <string.h>
#include <utf8proc.h>

/* Bytes of the character that `text`, valid UTF-8 and not empty, begins with. */
static size_t character_length(const char *text) {
  return (size_t)utf8proc_utf8class[(unsigned char)text[0]];
}

attcert_status characters_open(vocabulary *v, const char *path, attcert_error *err) {
  const attcert_status status = vocabulary_read_json(v, path, err);
  for (size_t i = 0; status == ATTCERT_OK && i < v->count; i++) {
    const char *const token = v->entry[i].token;
    if (strlen(token) == character_length(token)) continue;
    attcert_fail(
        err, ATTCERT_INPUT,
        "%s: token \"%.64s\" is not a single character (a vocabulary of longer tokens needs a merges.txt beside it)",
        path, token);
    vocabulary_clear(v);
    return ATTCERT_INPUT;
  }
  return status;
}

attcert_status characters_encode(const vocabulary *v, token_window *out, const text_view *text, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  size_t at = 0;
  while (status == ATTCERT_OK && at < text->length && !token_window_full(out)) {
    const char *const character = text->data + at;
    const size_t bytes = character_length(character);
    const int id = vocabulary_find(v, character, bytes);
    if (id < 0 && token_window_keeps(out))
      return attcert_fail(
          err, ATTCERT_INPUT,
          "%s: character \"%.*s\" (number %zu, at byte %zu) is not in the vocabulary, expected a text of its "
          "characters, or an offset that avoids it",
          text->name, (int)bytes, character, out->seen, at);
    status = token_window_push(out, id, err);
    at += bytes;
  }
  return status;
}
