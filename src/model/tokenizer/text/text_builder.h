/* UTF-8 text that grows. */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_TEXT_BUILDER_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_TEXT_BUILDER_H

#include "attcert.h"

typedef struct {
  char *data; /* of length bytes, not NUL-terminated; may be NULL where there are none */
  size_t length, capacity;
} text_builder;

attcert_status text_builder_append(text_builder *b, const char *bytes, size_t count, attcert_error *err);
attcert_status text_builder_append_string(text_builder *b, const char *string, attcert_error *err);
attcert_status text_builder_append_character(text_builder *b, int32_t codepoint, attcert_error *err);
void text_builder_clear(text_builder *b);

#endif
