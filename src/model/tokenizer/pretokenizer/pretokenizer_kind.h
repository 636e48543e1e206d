/* The pre-tokenizers that are known, a file each. */
#ifndef ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_PRETOKENIZER_KIND_H
#define ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_PRETOKENIZER_KIND_H

#include "model/tokenizer/pretokenizer/pretokenizer.h"

typedef struct {
  const char *type;        /* in the JSON */
  const char *const *keys; /* beside "type"; NULL: none */
  /* *settings is what split gets; NULL: there are none. On failure nothing is left allocated. */
  attcert_status (*open)(void **settings, const component *c, attcert_error *err);
  attcert_status (*split)(const void *settings, piece_list *out, const char *text, size_t length, bool at_start,
                          attcert_error *err);
  void (*close)(void *settings);
} pretokenizer_kind;

extern const pretokenizer_kind pretokenizer_bert;           /* white space, punctuation */
extern const pretokenizer_kind pretokenizer_byte_level;     /* GPT-2's words, in symbols of bytes */
extern const pretokenizer_kind pretokenizer_char_delimiter; /* at a character, which goes */
extern const pretokenizer_kind pretokenizer_digits;
extern const pretokenizer_kind pretokenizer_metaspace; /* words that begin with U+2581 */
extern const pretokenizer_kind pretokenizer_punctuation;
extern const pretokenizer_kind pretokenizer_sequence;
extern const pretokenizer_kind pretokenizer_split_by_pattern; /* "Split" */
extern const pretokenizer_kind pretokenizer_whitespace;       /* words, and what is neither word nor space */
extern const pretokenizer_kind pretokenizer_whitespace_split;

#endif
