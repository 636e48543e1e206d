/* Strip: white space at the ends; StripAccents: all marks (categories M*), of text that was decomposed before. */
#include "base/arrays.h"
#include "model/tokenizer/normalizer/normalizer_kind.h"
#include "model/tokenizer/text/character.h"

#include <stdlib.h>

typedef struct {
  bool left, right;
} sides;

static attcert_status strip_open(void **settings, const component *c, attcert_error *err) {
  sides s = {true, true};
  attcert_status status = component_bool(&s.left, c, "strip_left", err);
  if (status == ATTCERT_OK) status = component_bool(&s.right, c, "strip_right", err);
  if (status != ATTCERT_OK) return status;
  sides *const kept = array_new(1, sizeof *kept, err, "a normalizer");
  if (kept == NULL) return ATTCERT_RESOURCE;
  *kept = s;
  *settings = kept;
  return ATTCERT_OK;
}

static attcert_status strip_apply(const void *settings, normal_text *t, attcert_error *err) {
  const sides *const s = settings;
  size_t first = t->text.length, end = 0, bytes; /* of what is not white space */
  (void)err;
  for (size_t at = 0; at < t->text.length; at += bytes) {
    if (character_is_space(character_at(&bytes, t->text.data + at))) continue;
    if (end == 0) first = at;
    end = at + bytes;
  }
  const size_t from = s->left ? first : 0, to = s->right ? end : t->text.length;
  normal_text_cut(t, from, to > from ? to : from);
  return ATTCERT_OK;
}

static attcert_status drop_mark(text_builder *out, int32_t codepoint, attcert_error *err) {
  return character_is_mark(codepoint) ? ATTCERT_OK : text_builder_append_character(out, codepoint, err);
}

static attcert_status strip_accents_apply(const void *settings, normal_text *t, attcert_error *err) {
  (void)settings;
  return normal_text_map(t, drop_mark, err);
}

const normalizer_kind normalizer_strip = {
    {"Strip", (const char *const[]){"strip_left", "strip_right", NULL}, strip_open, free}, strip_apply};
const normalizer_kind normalizer_strip_accents = {{"StripAccents", NULL, NULL, NULL}, strip_accents_apply};
