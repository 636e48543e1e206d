/* The pre-tokenizers that are known, a file each. */
#ifndef ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_PRETOKENIZER_KIND_H
#define ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_PRETOKENIZER_KIND_H

#include "model/tokenizer/pretokenizer/pretokenizer.h"

typedef struct {
  component_kind common;
  attcert_status (*split)(const void *settings, piece_list *out, const char *text, size_t length, bool at_start,
                          attcert_error *err);
} pretokenizer_kind;

extern const pretokenizer_kind pretokenizer_bert;           /* white space, punctuation */
extern const pretokenizer_kind pretokenizer_byte_level;     /* GPT-2's words, in symbols of bytes */
extern const pretokenizer_kind pretokenizer_char_delimiter; /* at a character, which goes */
extern const pretokenizer_kind pretokenizer_digits;
extern const pretokenizer_kind pretokenizer_metaspace; /* words that begin with U+2581 */
extern const pretokenizer_kind pretokenizer_punctuation;
extern const pretokenizer_kind pretokenizer_split_by_pattern; /* "Split" */
extern const pretokenizer_kind pretokenizer_whitespace;       /* words, and what is neither word nor space */
extern const pretokenizer_kind pretokenizer_whitespace_split;

#endif
