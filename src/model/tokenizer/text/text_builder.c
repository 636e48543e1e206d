/* See text_builder.h. */
#include "model/tokenizer/text/text_builder.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static attcert_status reserve(text_builder *b, size_t more, attcert_error *err) {
  if (b->capacity - b->length >= more) return ATTCERT_OK;
  size_t capacity = b->capacity < 64 ? 64 : 2 * b->capacity;
  if (capacity - b->length < more) capacity = b->length + more;
  char *const larger = realloc(b->data, capacity);
  if (larger == NULL) return array_out_of_memory(err, capacity, "a text of %zu bytes", capacity);
  b->data = larger;
  b->capacity = capacity;
  return ATTCERT_OK;
}

attcert_status text_builder_append(text_builder *b, const char *bytes, size_t count, attcert_error *err) {
  if (count == 0) return ATTCERT_OK;
  const attcert_status status = reserve(b, count, err);
  if (status != ATTCERT_OK) return status;
  memcpy(b->data + b->length, bytes, count);
  b->length += count;
  return ATTCERT_OK;
}

attcert_status text_builder_append_string(text_builder *b, const char *string, attcert_error *err) {
  return text_builder_append(b, string, strlen(string), err);
}

attcert_status text_builder_append_character(text_builder *b, int32_t codepoint, attcert_error *err) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t count = utf8proc_encode_char(codepoint, bytes);
  return text_builder_append(b, (const char *)bytes, (size_t)count, err);
}

void text_builder_clear(text_builder *b) {
  free(b->data);
  *b = (text_builder){0};
}
