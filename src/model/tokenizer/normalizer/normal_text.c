/* See normal_text.h. */
#include "model/tokenizer/normalizer/normal_text.h"

#include "model/tokenizer/text/character.h"

#include <string.h>

void normal_text_set(normal_text *t, text_builder *text) {
  text_builder_clear(&t->text);
  t->text = *text;
  *text = (text_builder){0};
}

attcert_status normal_text_map(normal_text *t, character_map map, attcert_error *err) {
  text_builder out = {0};
  attcert_status status = ATTCERT_OK;
  size_t bytes;
  bool kept_first = true;
  for (size_t at = 0; status == ATTCERT_OK && at < t->text.length; at += bytes) {
    status = map(&out, character_at(&bytes, t->text.data + at), err);
    if (at == 0) kept_first = out.length > 0;
  }
  if (status == ATTCERT_OK) {
    normal_text_set(t, &out);
    t->at_start = t->at_start && kept_first;
  }
  text_builder_clear(&out);
  return status;
}

attcert_status normal_text_replace(normal_text *t, const span_list *spans, const char *by, attcert_error *err) {
  text_builder out = {0};
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < spans->count; i++) {
    const text_span *const s = &spans->span[i];
    status = s->match ? text_builder_append_string(&out, by, err)
                      : text_builder_append(&out, t->text.data + s->start, s->end - s->start, err);
  }
  if (status == ATTCERT_OK) {
    t->at_start = t->at_start && (spans->count == 0 || !spans->span[0].match || by[0] != '\0');
    normal_text_set(t, &out);
  }
  text_builder_clear(&out);
  return status;
}

void normal_text_cut(normal_text *t, size_t start, size_t end) {
  if (start > 0) memmove(t->text.data, t->text.data + start, end - start);
  t->text.length = end - start;
  t->at_start = t->at_start && start == 0;
}
