/* See split_behaviour.h. */
#include "model/tokenizer/pretokenizer/split_behaviour.h"

#include <string.h>

attcert_status split_behaviour_read(split_behaviour *b, const component *c, const char *key, attcert_error *err) {
  static const char *const names[] = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"};
  const char *name = names[*b];
  const attcert_status status = component_string(&name, c, key, err);
  if (status != ATTCERT_OK) return status;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(names[i], name) == 0) {
      *b = (split_behaviour)i;
      return ATTCERT_OK;
    }
  }
  return component_wrong(c, key, "Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous", err);
}

/* Whether span i joins the one before it. */
static bool joins_previous(split_behaviour b, const span_list *s, size_t i) {
  const text_span *const one = &s->span[i];
  if (i == 0) return false;
  const text_span *const before = &s->span[i - 1];
  switch (b) {
  case SPLIT_CONTIGUOUS:
    return one->match == before->match;
  case SPLIT_MERGED_WITH_PREVIOUS:
    return one->match && !before->match;
  case SPLIT_MERGED_WITH_NEXT:
    return before->match && !one->match;
  default:
    return false;
  }
}

attcert_status split_behaviour_apply(piece_list *out, split_behaviour b, const span_list *spans, const char *text,
                                     attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0, next; status == ATTCERT_OK && i < spans->count; i = next) {
    for (next = i + 1; next < spans->count && joins_previous(b, spans, next); next++) continue;
    const text_span *const first = &spans->span[i];
    if (b == SPLIT_REMOVED && first->match) continue;
    status = piece_list_add(out, text + first->start, spans->span[next - 1].end - first->start, err);
  }
  return status;
}

attcert_status split_at_class(piece_list *out, split_behaviour b, bool (*is_in)(int32_t codepoint), const char *text,
                              size_t length, attcert_error *err) {
  span_list spans = {0};
  attcert_status status = span_list_of_class(&spans, is_in, text, length, err);
  if (status == ATTCERT_OK) status = split_behaviour_apply(out, b, &spans, text, err);
  span_list_clear(&spans);
  return status;
}
