/* Metaspace: blanks become `replacement` (U+2581), and one is put before a text that does not begin with it: before
 * every text ("always"), before the whole text only ("first"), or not ("never"). Then the text is cut before each,
 * unless `split` is false. Older files say add_prefix_space for prepend_scheme. */
#include "base/arrays.h"
#include "model/tokenizer/pretokenizer/pretokenizer_kind.h"
#include "model/tokenizer/pretokenizer/split_behaviour.h"
#include "model/tokenizer/text/character.h"

#include <stdlib.h>
#include <string.h>

typedef enum { PREPEND_ALWAYS, PREPEND_FIRST, PREPEND_NEVER } prepend_scheme;

typedef struct {
  char replacement[5];
  prepend_scheme scheme;
  bool split;
} metaspace;

static attcert_status read_replacement(metaspace *m, const component *c, attcert_error *err) {
  const char *text = "\xE2\x96\x81", *same = NULL;
  attcert_status status = component_string(&text, c, "replacement", err);
  if (status == ATTCERT_OK) status = component_string(&same, c, "str_rep", err);
  if (status != ATTCERT_OK) return status;
  if (text[0] == '\0' || character_length(text) != strlen(text))
    return component_wrong(c, "replacement", "one character", err);
  if (same != NULL && strcmp(same, text) != 0) return component_wrong(c, "str_rep", "the replacement", err);
  memcpy(m->replacement, text, strlen(text));
  return ATTCERT_OK;
}

static attcert_status read_scheme(metaspace *m, const component *c, attcert_error *err) {
  static const char *const names[] = {"always", "first", "never"};
  const char *name = names[PREPEND_ALWAYS];
  bool prefix = true;
  attcert_status status = component_bool(&prefix, c, "add_prefix_space", err);
  if (!prefix) name = names[PREPEND_NEVER];
  if (status == ATTCERT_OK) status = component_string(&name, c, "prepend_scheme", err);
  if (status != ATTCERT_OK) return status;
  size_t i = 0;
  while (i < sizeof names / sizeof names[0] && strcmp(names[i], name) != 0) i++;
  if (i == sizeof names / sizeof names[0])
    return component_wrong(c, "prepend_scheme", "\"always\", \"first\" or \"never\"", err);
  m->scheme = (prepend_scheme)i;
  if (component_has(c, "add_prefix_space") && prefix == (m->scheme == PREPEND_NEVER))
    return component_wrong(c, "add_prefix_space", "what prepend_scheme says", err);
  return ATTCERT_OK;
}

static attcert_status metaspace_open(void **settings, const component *c, attcert_error *err) {
  metaspace m = {.split = true};
  attcert_status status = read_replacement(&m, c, err);
  if (status == ATTCERT_OK) status = read_scheme(&m, c, err);
  if (status == ATTCERT_OK) status = component_bool(&m.split, c, "split", err);
  if (status != ATTCERT_OK) return status;
  metaspace *const kept = array_new(1, sizeof *kept, err, "a pre-tokenizer");
  if (kept == NULL) return ATTCERT_RESOURCE;
  *kept = m;
  *settings = kept;
  return ATTCERT_OK;
}

/* The text with its blanks replaced, and one before it where there shall be one. */
static attcert_status replace_blanks(text_builder *out, const metaspace *m, const char *text, size_t length,
                                     bool at_start, attcert_error *err) {
  const size_t size = strlen(m->replacement);
  const bool begins = text[0] == ' ' || (length >= size && memcmp(text, m->replacement, size) == 0);
  const bool prepends = m->scheme == PREPEND_ALWAYS || (m->scheme == PREPEND_FIRST && at_start);
  attcert_status status = prepends && !begins ? text_builder_append_string(out, m->replacement, err) : ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < length; i++)
    status = text[i] == ' ' ? text_builder_append_string(out, m->replacement, err)
                            : text_builder_append(out, text + i, 1, err);
  return status;
}

static attcert_status metaspace_split(const void *settings, piece_list *out, const char *text, size_t length,
                                      bool at_start, attcert_error *err) {
  const metaspace *const m = settings;
  text_builder replaced = {0};
  span_list spans = {0};
  if (length == 0) return ATTCERT_OK;
  attcert_status status = replace_blanks(&replaced, m, text, length, at_start, err);
  if (status == ATTCERT_OK && !m->split) status = piece_list_add(out, replaced.data, replaced.length, err);
  if (status == ATTCERT_OK && m->split)
    status = span_list_of_string(&spans, m->replacement, replaced.data, replaced.length, err);
  if (status == ATTCERT_OK && m->split)
    status = split_behaviour_apply(out, SPLIT_MERGED_WITH_NEXT, &spans, replaced.data, err);
  span_list_clear(&spans);
  text_builder_clear(&replaced);
  return status;
}

const pretokenizer_kind pretokenizer_metaspace = {
    {"Metaspace", (const char *const[]){"replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep", NULL},
     metaspace_open, free},
    metaspace_split};
