/* See wordpiece.h. */
#include "model/tokenizer/model/wordpiece.h"

#include "base/arrays.h"
#include "model/tokenizer/model/token_model_kind.h"
#include "model/tokenizer/text/character.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_LIMIT = 100 }; /* characters, unless a file says otherwise */

typedef struct {
  int unknown; /* -1: there is none */
  int word_limit;
  char *unknown_name;
  vocabulary_prefix continuing; /* the tokens that continue a word */
} wordpiece;

static void wordpiece_close(void *settings) {
  wordpiece *const w = settings;
  if (w != NULL) free(w->unknown_name);
  free(w);
}

static attcert_status set_up(token_model *m, const char *unknown, const char *prefix, int word_limit,
                             attcert_error *err) {
  wordpiece *const w = m->settings = array_new(1, sizeof *w, err, "a WordPiece model");
  if (w == NULL) return ATTCERT_RESOURCE;
  w->unknown_name = strdup(unknown);
  if (w->unknown_name == NULL) return array_out_of_memory(err, strlen(unknown) + 1, "a token's name");
  w->unknown = vocabulary_find_string(&m->vocabulary, unknown);
  w->word_limit = word_limit;
  w->continuing = vocabulary_all(&m->vocabulary);
  for (const char *c = prefix; *c != '\0'; c++) {
    if (!vocabulary_descend(&w->continuing, &m->vocabulary, *c)) w->continuing.high = w->continuing.low;
  }
  return ATTCERT_OK;
}

static attcert_status open_json(token_model *m, const component *c, attcert_error *err) {
  component tokens;
  const char *unknown = "[UNK]", *prefix = "##";
  int word_limit = WORD_LIMIT;
  attcert_status status = component_member(&tokens, c, "vocab", err);
  if (status == ATTCERT_OK) status = component_string(&unknown, c, "unk_token", err);
  if (status == ATTCERT_OK) status = component_string(&prefix, c, "continuing_subword_prefix", err);
  if (status == ATTCERT_OK) status = component_integer(&word_limit, c, "max_input_chars_per_word", 0, INT_MAX, err);
  if (status == ATTCERT_OK) status = vocabulary_from_object(&m->vocabulary, &tokens, err);
  return status == ATTCERT_OK ? set_up(m, unknown, prefix, word_limit, err) : status;
}

attcert_status wordpiece_open(token_model **m, vocabulary *v, const char *unknown, attcert_error *err) {
  attcert_status status = token_model_new(m, &token_model_wordpiece, err);
  if (status != ATTCERT_OK) {
    vocabulary_clear(v);
    return status;
  }
  (*m)->vocabulary = *v;
  status = set_up(*m, unknown, "##", WORD_LIMIT, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  token_model_close(*m);
  *m = NULL;
  return status;
}

/* The longest token that begins at `start`: its id and end, or -1. */
static int longest_token(const token_model *m, const char *word, size_t start, size_t length, size_t *end) {
  const wordpiece *const w = m->settings;
  vocabulary_prefix p = start > 0 ? w->continuing : vocabulary_all(&m->vocabulary);
  int longest = -1;
  for (size_t at = start; at < length && vocabulary_descend(&p, &m->vocabulary, word[at]); at++) {
    const int id = vocabulary_at(&m->vocabulary, &p);
    if (id < 0) continue;
    longest = id;
    *end = at + 1;
  }
  return longest;
}

static bool is_short(const wordpiece *w, const char *word, size_t length) {
  int characters = 0;
  for (size_t at = 0; at < length && characters <= w->word_limit; at += character_length(word + at)) characters++;
  return characters <= w->word_limit;
}

static bool is_covered(const token_model *m, const char *word, size_t length) {
  for (size_t start = 0, end; start < length; start = end) {
    if (longest_token(m, word, start, length, &end) < 0) return false;
  }
  return true;
}

static attcert_status wordpiece_encode(const token_model *m, token_window *out, const char *word, size_t length,
                                       attcert_error *err) {
  const wordpiece *const w = m->settings;
  if (!is_short(w, word, length) || !is_covered(m, word, length))
    return w->unknown >= 0 ? token_window_push(out, w->unknown, err)
                           : token_model_no_token(word, length, w->unknown_name, err);
  attcert_status status = ATTCERT_OK;
  for (size_t start = 0, end = 0; status == ATTCERT_OK && start < length; start = end)
    status = token_window_push(out, longest_token(m, word, start, length, &end), err);
  return status;
}

const token_model_kind token_model_wordpiece = {
    "WordPiece",
    "WordPiece",
    (const char *const[]){"vocab", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word", NULL},
    open_json,
    wordpiece_encode,
    wordpiece_close};
