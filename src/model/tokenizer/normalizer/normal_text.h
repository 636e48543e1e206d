/* A text on its way through normalizers. */
#ifndef ATTCERT_MODEL_TOKENIZER_NORMALIZER_NORMAL_TEXT_H
#define ATTCERT_MODEL_TOKENIZER_NORMALIZER_NORMAL_TEXT_H

#include "model/tokenizer/text/span_list.h"
#include "model/tokenizer/text/text_builder.h"

typedef struct {
  text_builder text; /* valid UTF-8 */
  bool at_start;     /* its first character comes from the first one of the whole text: nothing was removed before */
} normal_text;

/* What becomes of a character: appended to out. */
typedef attcert_status (*character_map)(text_builder *out, int32_t codepoint, attcert_error *err);

attcert_status normal_text_map(normal_text *t, character_map map, attcert_error *err);

/* Replaces every match. */
attcert_status normal_text_replace(normal_text *t, const span_list *spans, const char *by, attcert_error *err);

/* Keeps the bytes from start to end. */
void normal_text_cut(normal_text *t, size_t start, size_t end);

/* Takes over what `text` holds. */
void normal_text_set(normal_text *t, text_builder *text);

#endif
