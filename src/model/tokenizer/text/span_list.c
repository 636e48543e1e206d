/* See span_list.h. */
#include "model/tokenizer/text/span_list.h"

#include "base/growing_array.h"
#include "model/tokenizer/text/character.h"

#include <stdlib.h>
#include <string.h>

attcert_status span_list_add(span_list *l, size_t start, size_t end, bool match, attcert_error *err) {
  const attcert_status room =
      growing_array_room(&l->span, &l->capacity, l->count, sizeof *l->span, err, "a list of pieces of a text");
  if (room != ATTCERT_OK) return room;
  l->span[l->count++] = (text_span){start, end, match};
  return ATTCERT_OK;
}

static size_t covered(const span_list *l) {
  return l->count > 0 ? l->span[l->count - 1].end : 0;
}

attcert_status span_list_add_match(span_list *l, size_t start, size_t end, attcert_error *err) {
  const attcert_status status = span_list_finish(l, start, err);
  return status == ATTCERT_OK ? span_list_add(l, start, end, true, err) : status;
}

attcert_status span_list_finish(span_list *l, size_t length, attcert_error *err) {
  return covered(l) < length ? span_list_add(l, covered(l), length, false, err) : ATTCERT_OK;
}

void span_list_clear(span_list *l) {
  free(l->span);
  *l = (span_list){0};
}

attcert_status span_list_of_class(span_list *l, bool (*is_in)(int32_t codepoint), const char *text, size_t length,
                                  attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  size_t bytes;
  for (size_t at = 0; at < length && status == ATTCERT_OK; at += bytes) {
    if (is_in(character_at(&bytes, text + at))) status = span_list_add_match(l, at, at + bytes, err);
  }
  return status == ATTCERT_OK ? span_list_finish(l, length, err) : status;
}

/* The first occurrence of a string of `size` bytes; NULL: there is none. */
static const char *find_string(const char *text, size_t length, const char *string, size_t size) {
  while (length >= size) {
    const char *const first = memchr(text, string[0], length - size + 1);
    if (first == NULL || memcmp(first, string, size) == 0) return first;
    length -= (size_t)(first - text) + 1;
    text = first + 1;
  }
  return NULL;
}

attcert_status span_list_of_string(span_list *l, const char *string, const char *text, size_t length,
                                   attcert_error *err) {
  const size_t size = strlen(string);
  attcert_status status = ATTCERT_OK;
  for (size_t at = 0; status == ATTCERT_OK && at < length;) {
    const char *const found = find_string(text + at, length - at, string, size);
    if (found == NULL) break;
    at = (size_t)(found - text) + size;
    status = span_list_add_match(l, at - size, at, err);
  }
  return status == ATTCERT_OK ? span_list_finish(l, length, err) : status;
}
