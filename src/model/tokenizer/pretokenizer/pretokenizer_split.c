/* Split: at a string or a regular expression, or (invert) at what lies between its matches; CharDelimiterSplit: at a
 * character, which goes; Whitespace: \w+|[^\w\s]+ of Rust's regular expressions. */
#include "base/arrays.h"
#include "model/tokenizer/pretokenizer/pretokenizer_kind.h"
#include "model/tokenizer/pretokenizer/split_behaviour.h"
#include "model/tokenizer/text/character.h"
#include "model/tokenizer/text/split_pattern.h"
#include "model/tokenizer/text/word_character.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  split_pattern pattern;
  split_behaviour behaviour;
  bool invert;
} split;

static void split_close(void *settings) {
  split *const s = settings;
  split_pattern_clear(&s->pattern);
  free(s);
}

static attcert_status split_open(void **settings, const component *c, attcert_error *err) {
  split *const s = array_new(1, sizeof *s, err, "a pre-tokenizer");
  if (s == NULL) return ATTCERT_RESOURCE;
  attcert_status status = split_pattern_read(&s->pattern, c, "pattern", err);
  if (status == ATTCERT_OK && !component_has(c, "behavior"))
    status = component_wrong(c, "behavior", "a behaviour", err);
  if (status == ATTCERT_OK) status = split_behaviour_read(&s->behaviour, c, "behavior", err);
  if (status == ATTCERT_OK) status = component_bool(&s->invert, c, "invert", err);
  if (status == ATTCERT_OK)
    *settings = s;
  else
    split_close(s);
  return status;
}

static attcert_status split_split(const void *settings, piece_list *out, const char *text, size_t length, bool at_start,
                                  attcert_error *err) {
  const split *const s = settings;
  span_list spans = {0};
  (void)at_start;
  attcert_status status = split_pattern_spans(&spans, &s->pattern, text, length, err);
  for (size_t i = 0; i < spans.count && s->invert; i++) spans.span[i].match = !spans.span[i].match;
  if (status == ATTCERT_OK) status = split_behaviour_apply(out, s->behaviour, &spans, text, err);
  span_list_clear(&spans);
  return status;
}

static attcert_status char_delimiter_open(void **settings, const component *c, attcert_error *err) {
  const char *delimiter;
  attcert_status status = component_required_string(&delimiter, c, "delimiter", err);
  if (status == ATTCERT_OK && (delimiter[0] == '\0' || character_length(delimiter) != strlen(delimiter)))
    status = component_wrong(c, "delimiter", "one character", err);
  if (status != ATTCERT_OK) return status;
  split *const s = array_new(1, sizeof *s, err, "a pre-tokenizer");
  if (s == NULL) return ATTCERT_RESOURCE;
  s->behaviour = SPLIT_REMOVED;
  s->pattern.string = strdup(delimiter);
  *settings = s;
  if (s->pattern.string != NULL) return ATTCERT_OK;
  split_close(s);
  return array_out_of_memory(err, strlen(delimiter) + 1, "a pattern");
}

/* A run of word characters, or of other ones that are no white space. */
static attcert_status whitespace(const void *settings, piece_list *out, const char *text, size_t length, bool at_start,
                                 attcert_error *err) {
  enum { SPACE, WORD, OTHER } before = SPACE, kind = SPACE;
  attcert_status status = ATTCERT_OK;
  size_t start = 0, bytes;
  (void)settings, (void)at_start;
  for (size_t at = 0; status == ATTCERT_OK && at < length; at += bytes) {
    const int32_t c = character_at(&bytes, text + at);
    kind = character_is_space(c) ? SPACE : character_is_word(c) ? WORD : OTHER;
    if (kind == before) continue;
    if (before != SPACE) status = piece_list_add(out, text + start, at - start, err);
    before = kind;
    start = at;
  }
  return status == ATTCERT_OK && before != SPACE ? piece_list_add(out, text + start, length - start, err) : status;
}

const pretokenizer_kind pretokenizer_split_by_pattern = {
    {"Split", (const char *const[]){"pattern", "behavior", "invert", NULL}, split_open, split_close}, split_split};
const pretokenizer_kind pretokenizer_char_delimiter = {
    {"CharDelimiterSplit", (const char *const[]){"delimiter", NULL}, char_delimiter_open, split_close}, split_split};
const pretokenizer_kind pretokenizer_whitespace = {{"Whitespace", NULL, NULL, NULL}, whitespace};
