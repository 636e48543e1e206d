/* See tokenizer.h: a word of one token. */
#include "base/arrays.h"
#include "model/tokenizer/pipeline/token_pipeline.h"
#include "model/tokenizer/tokenizer_struct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tokens for what a vocabulary does not have are spelt in brackets: [UNK], <unk>. */
static bool stands_for_unknown(const char *piece, const char *word) {
  return piece == NULL || ((piece[0] == '[' || piece[0] == '<') && piece[0] != word[0]);
}

static attcert_status take_only(int *id, const tokenizer *t, const token_window *w, const char *word,
                                attcert_error *err) {
  if (token_window_count(w) != 1)
    return attcert_fail(err, ATTCERT_INPUT, "'%s' has %zu tokens (%s), expected a word of one", word,
                        token_window_count(w), t->pipeline.kind);
  *id = w->tokens[0];
  if (stands_for_unknown(tokenizer_piece(t, *id), word))
    return attcert_fail(err, ATTCERT_INPUT, "'%s' is not in the vocabulary (%s), expected a word of one token", word,
                        t->pipeline.kind);
  return ATTCERT_OK;
}

attcert_status tokenizer_word(int *id, const tokenizer *t, const char *before, const char *word, attcert_error *err) {
  const size_t length = strlen(before) + strlen(word);
  char *const text = array_new(length + 1, 1, err, "a word");
  if (text == NULL) return ATTCERT_RESOURCE;
  snprintf(text, length + 1, "%s%s", before, word);
  const text_view view = {word, text, length};
  token_window w;
  token_window_init(&w, 0, SIZE_MAX);
  attcert_status status = text_file_check_utf8(&view, err);
  if (status == ATTCERT_OK) status = token_pipeline_encode(&t->pipeline, &w, &view, err);
  if (status == ATTCERT_OK) status = take_only(id, t, &w, word, err);
  token_window_clear(&w);
  free(text);
  return status;
}
