/* WordLevel: every piece is a token, or the unknown one. */
#include "base/arrays.h"
#include "model/tokenizer/model/token_model_kind.h"

#include <stdlib.h>
#include <string.h>

static attcert_status word_level_open(token_model *m, const component *c, attcert_error *err) {
  component tokens;
  const char *unknown = "<unk>";
  attcert_status status = component_member(&tokens, c, "vocab", err);
  if (status == ATTCERT_OK) status = component_string(&unknown, c, "unk_token", err);
  if (status == ATTCERT_OK) status = vocabulary_from_object(&m->vocabulary, &tokens, err);
  if (status != ATTCERT_OK) return status;
  m->settings = strdup(unknown);
  return m->settings != NULL ? ATTCERT_OK : array_out_of_memory(err, strlen(unknown) + 1, "a token's name");
}

static attcert_status word_level_encode(const token_model *m, token_window *out, const char *piece, size_t length,
                                        attcert_error *err) {
  int id = vocabulary_find(&m->vocabulary, piece, length);
  if (id < 0) id = vocabulary_find_string(&m->vocabulary, m->settings);
  return id >= 0 ? token_window_push(out, id, err) : token_model_no_token(piece, length, m->settings, err);
}

const token_model_kind token_model_word_level = {
    "WordLevel",     "WordLevel",       (const char *const[]){"vocab", "unk_token", NULL},
    word_level_open, word_level_encode, free};
