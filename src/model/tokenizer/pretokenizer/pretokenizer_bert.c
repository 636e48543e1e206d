/* BertPreTokenizer (white space goes, punctuation stands alone), WhitespaceSplit (white space goes), Digits and
 * Punctuation. */
#include "base/arrays.h"
#include "model/tokenizer/pretokenizer/pretokenizer_kind.h"
#include "model/tokenizer/pretokenizer/split_behaviour.h"
#include "model/tokenizer/text/character.h"

#include <stdlib.h>

static attcert_status whitespace_split(const void *settings, piece_list *out, const char *text, size_t length,
                                       bool at_start, attcert_error *err) {
  (void)settings, (void)at_start;
  return split_at_class(out, SPLIT_REMOVED, character_is_space, text, length, err);
}

static attcert_status bert_split(const void *settings, piece_list *out, const char *text, size_t length, bool at_start,
                                 attcert_error *err) {
  piece_list words = {.count = 0};
  attcert_status status = whitespace_split(settings, &words, text, length, at_start, err);
  for (size_t i = 0; status == ATTCERT_OK && i < words.count; i++) {
    size_t bytes;
    const char *const word = piece_list_get(&bytes, &words, i);
    status = split_at_class(out, SPLIT_ISOLATED, character_is_punctuation, word, bytes, err);
  }
  piece_list_clear(&words);
  return status;
}

/* ---- with a behaviour -------------------------------------------------------------------------------------------- */

static attcert_status keep_behaviour(void **settings, split_behaviour b, attcert_error *err) {
  split_behaviour *const kept = array_new(1, sizeof *kept, err, "a pre-tokenizer");
  if (kept == NULL) return ATTCERT_RESOURCE;
  *kept = b;
  *settings = kept;
  return ATTCERT_OK;
}

static attcert_status digits_open(void **settings, const component *c, attcert_error *err) {
  bool individual = false;
  const attcert_status status = component_bool(&individual, c, "individual_digits", err);
  return status == ATTCERT_OK ? keep_behaviour(settings, individual ? SPLIT_ISOLATED : SPLIT_CONTIGUOUS, err) : status;
}

static attcert_status digits_split(const void *settings, piece_list *out, const char *text, size_t length,
                                   bool at_start, attcert_error *err) {
  (void)at_start;
  return split_at_class(out, *(const split_behaviour *)settings, character_is_number, text, length, err);
}

static attcert_status punctuation_open(void **settings, const component *c, attcert_error *err) {
  split_behaviour b = SPLIT_ISOLATED;
  const attcert_status status = split_behaviour_read(&b, c, "behavior", err);
  return status == ATTCERT_OK ? keep_behaviour(settings, b, err) : status;
}

static attcert_status punctuation_split(const void *settings, piece_list *out, const char *text, size_t length,
                                        bool at_start, attcert_error *err) {
  (void)at_start;
  return split_at_class(out, *(const split_behaviour *)settings, character_is_punctuation, text, length, err);
}

const pretokenizer_kind pretokenizer_bert = {{"BertPreTokenizer", NULL, NULL, NULL}, bert_split};
const pretokenizer_kind pretokenizer_whitespace_split = {{"WhitespaceSplit", NULL, NULL, NULL}, whitespace_split};
const pretokenizer_kind pretokenizer_digits = {
    {"Digits", (const char *const[]){"individual_digits", NULL}, digits_open, free}, digits_split};
const pretokenizer_kind pretokenizer_punctuation = {
    {"Punctuation", (const char *const[]){"behavior", NULL}, punctuation_open, free}, punctuation_split};
