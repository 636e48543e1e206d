/* GPT-2's reversible spelling of bytes as visible characters, in which its vocabulary and merges are written: a visible
 * Latin-1 byte is itself, the other 68 are U+0100, U+0101, ... in the order of the bytes (a space is U+0120). */
#ifndef ATTCERT_MODEL_TOKENIZER_BYTE_SYMBOL_H
#define ATTCERT_MODEL_TOKENIZER_BYTE_SYMBOL_H

#include "model/tokenizer/text/text_builder.h"

typedef struct {
  unsigned char byte;
  char spelling[3]; /* UTF-8, NUL-terminated */
} byte_symbol;

/* All of them, in the order of GPT-2's first 256 token ids. */
void byte_symbols(byte_symbol symbol[256]);

/* Appends the symbols of these bytes. */
attcert_status byte_symbols_spell(text_builder *out, const char *bytes, size_t count, attcert_error *err);

#endif
