/* The function bytes_to_unicode of openai/gpt-2, encoder.py. */
#include "model/tokenizer/byte_symbol.h"

#include <stdbool.h>
#include <utf8proc.h>

static bool is_visible(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

static void symbol_set(byte_symbol *symbol, int byte, int codepoint) {
  *symbol = (byte_symbol){.byte = (unsigned char)byte};
  utf8proc_encode_char(codepoint, (utf8proc_uint8_t *)symbol->spelling);
}

void byte_symbols(byte_symbol symbol[256]) {
  int count = 0;
  for (int byte = 0; byte < 256; byte++) {
    if (is_visible(byte)) symbol_set(&symbol[count++], byte, byte);
  }
  for (int byte = 0, codepoint = 0x100; byte < 256; byte++) {
    if (!is_visible(byte)) symbol_set(&symbol[count++], byte, codepoint++);
  }
}
