/* The function bytes_to_unicode of openai/gpt-2, encoder.py. */
#include "model/tokenizer/text/byte_symbol.h"

#include <stdbool.h>
#include <utf8proc.h>

static bool is_visible(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/* The others in a row: 0x00 to 0x20, 0x7F to 0xA0, 0xAD. */
static int32_t code_of(int byte) {
  if (is_visible(byte)) return byte;
  return byte <= 0x20 ? 0x100 + byte : byte <= 0xA0 ? 0x121 + byte - 0x7F : 0x143;
}

static void symbol_set(byte_symbol *symbol, int byte) {
  *symbol = (byte_symbol){.byte = (unsigned char)byte};
  utf8proc_encode_char(code_of(byte), (utf8proc_uint8_t *)symbol->spelling);
}

void byte_symbols(byte_symbol symbol[256]) {
  int count = 0;
  for (int byte = 0; byte < 256; byte++) {
    if (is_visible(byte)) symbol_set(&symbol[count++], byte);
  }
  for (int byte = 0; byte < 256; byte++) {
    if (!is_visible(byte)) symbol_set(&symbol[count++], byte);
  }
}

attcert_status byte_symbols_spell(text_builder *out, const char *bytes, size_t count, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < count; i++)
    status = text_builder_append_character(out, code_of((unsigned char)bytes[i]), err);
  return status;
}
