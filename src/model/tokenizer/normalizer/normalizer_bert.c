/* BertNormalizer, after google-research/bert, tokenization.py: control characters go, white space becomes a blank;
 * blanks are put around ideographs; canonical decomposition (NFD) without nonspacing marks; lower case. strip_accents
 * is lowercase where it is null. A character that Unicode has not assigned is refused: implementations differ on it. */
#include "base/arrays.h"
#include "model/tokenizer/normalizer/lower_case.h"
#include "model/tokenizer/normalizer/normal_form.h"
#include "model/tokenizer/normalizer/normalizer_kind.h"
#include "model/tokenizer/text/character.h"

#include <stdlib.h>

typedef struct {
  bool clean_text, handle_chinese_chars, strip_accents, lowercase;
} settings;

static attcert_status bert_open(void **result, const component *c, attcert_error *err) {
  settings s = {true, true, true, true};
  attcert_status status = component_bool(&s.clean_text, c, "clean_text", err);
  if (status == ATTCERT_OK) status = component_bool(&s.handle_chinese_chars, c, "handle_chinese_chars", err);
  if (status == ATTCERT_OK) status = component_bool(&s.lowercase, c, "lowercase", err);
  s.strip_accents = s.lowercase;
  if (status == ATTCERT_OK) status = component_bool(&s.strip_accents, c, "strip_accents", err);
  if (status != ATTCERT_OK) return status;
  settings *const kept = array_new(1, sizeof *kept, err, "a normalizer");
  if (kept == NULL) return ATTCERT_RESOURCE;
  *kept = s;
  *result = kept;
  return ATTCERT_OK;
}

static attcert_status clean(text_builder *out, int32_t codepoint, attcert_error *err) {
  if (codepoint == 0 || codepoint == 0xFFFD || character_is_control(codepoint)) return ATTCERT_OK;
  if (character_is_unassigned(codepoint))
    return attcert_fail(err, ATTCERT_INPUT, "the text has U+%04X, which Unicode has not assigned, expected a character",
                        (unsigned)codepoint);
  return text_builder_append_character(out, character_is_space(codepoint) ? ' ' : codepoint, err);
}

static attcert_status set_apart(text_builder *out, int32_t codepoint, attcert_error *err) {
  const bool apart = character_is_ideograph(codepoint);
  attcert_status status = apart ? text_builder_append(out, " ", 1, err) : ATTCERT_OK;
  if (status == ATTCERT_OK) status = text_builder_append_character(out, codepoint, err);
  return status == ATTCERT_OK && apart ? text_builder_append(out, " ", 1, err) : status;
}

static attcert_status drop_accent(text_builder *out, int32_t codepoint, attcert_error *err) {
  return character_is_nonspacing_mark(codepoint) ? ATTCERT_OK : text_builder_append_character(out, codepoint, err);
}

static attcert_status bert_apply(const void *result, normal_text *t, attcert_error *err) {
  const settings *const s = result;
  attcert_status status = s->clean_text ? normal_text_map(t, clean, err) : ATTCERT_OK;
  if (status == ATTCERT_OK && s->handle_chinese_chars) status = normal_text_map(t, set_apart, err);
  if (status == ATTCERT_OK && s->strip_accents) status = normal_form_apply(t, NORMAL_FORM_D, err);
  if (status == ATTCERT_OK && s->strip_accents) status = normal_text_map(t, drop_accent, err);
  if (status == ATTCERT_OK && s->lowercase) status = normal_text_map(t, lower_case, err);
  return status;
}

const normalizer_kind normalizer_bert = {
    {"BertNormalizer", (const char *const[]){"clean_text", "handle_chinese_chars", "strip_accents", "lowercase", NULL},
     bert_open, free},
    bert_apply};
