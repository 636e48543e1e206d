/* See token_model.h: the table of models. */
#include "model/tokenizer/model/token_model.h"

#include "base/arrays.h"
#include "model/tokenizer/model/token_model_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Older files do not name the type: it follows from the keys. */
static const char *type_of(const component *c) {
  if (component_has(c, "type")) return json_string_value(json_object_get(c->json, "type"));
  if (component_has(c, "merges")) return token_model_bpe.type;
  if (json_is_array(json_object_get(c->json, "vocab"))) return token_model_unigram.type;
  if (component_has(c, "max_input_chars_per_word")) return token_model_wordpiece.type;
  return NULL;
}

static const token_model_kind *find_kind(const char *type) {
  static const token_model_kind *const kinds[] = {&token_model_bpe, &token_model_unigram, &token_model_word_level,
                                                  &token_model_wordpiece};
  for (size_t i = 0; type != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(kinds[i]->type, type) == 0) return kinds[i];
  }
  return NULL;
}

attcert_status token_model_new(token_model **m, const token_model_kind *kind, attcert_error *err) {
  *m = array_new(1, sizeof **m, err, "a tokenizer's model");
  if (*m == NULL) return ATTCERT_RESOURCE;
  (*m)->kind = kind;
  return ATTCERT_OK;
}

attcert_status token_model_open(token_model **m, const component *c, attcert_error *err) {
  *m = NULL;
  const token_model_kind *const kind = find_kind(type_of(c));
  if (kind == NULL) return component_wrong(c, "type", "BPE, Unigram, WordLevel or WordPiece", err);
  attcert_status status = component_check_keys(c, kind->keys, err);
  if (status == ATTCERT_OK) status = token_model_new(m, kind, err);
  if (status != ATTCERT_OK) return status;
  status = kind->open(*m, c, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  token_model_close(*m);
  *m = NULL;
  return status;
}

void token_model_close(token_model *m) {
  if (m == NULL) return;
  vocabulary_clear(&m->vocabulary);
  if (m->kind->close != NULL) m->kind->close(m->settings);
  free(m);
}

attcert_status token_model_encode(const token_model *m, token_window *out, const char *piece, size_t length,
                                  attcert_error *err) {
  return m->kind->encode(m, out, piece, length, err);
}

const char *token_model_name(const token_model *m) {
  return m->kind->name;
}

const vocabulary *token_model_vocabulary(const token_model *m) {
  return &m->vocabulary;
}

int token_model_size(const token_model *m) {
  return m->size > 0 ? m->size : (int)m->vocabulary.count;
}

int token_model_byte_tokens(int token[256], const vocabulary *v) {
  int found = 0;
  for (int byte = 0; byte < 256; byte++) {
    char name[8];
    snprintf(name, sizeof name, "<0x%02X>", (unsigned)byte);
    token[byte] = vocabulary_find_string(v, name);
    found += token[byte] >= 0;
  }
  return found;
}

attcert_status token_model_no_token(const char *text, size_t length, const char *unknown, attcert_error *err) {
  return attcert_fail(
      err, ATTCERT_INPUT,
      "\"%.*s\" has no token, and the vocabulary has no \"%.64s\" for what is unknown, expected a text of "
      "its tokens",
      length < 64 ? (int)length : 64, text, unknown != NULL ? unknown : "unk_token");
}
