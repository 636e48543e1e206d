/* ByteLevel as a normalizer: every byte of the UTF-8 text becomes the symbol that GPT-2 writes for it. */
#include "model/tokenizer/normalizer/normalizer_kind.h"
#include "model/tokenizer/text/byte_symbol.h"

static attcert_status byte_level_apply(const void *settings, normal_text *t, attcert_error *err) {
  (void)settings;
  text_builder symbols = {0};
  const attcert_status status = byte_symbols_spell(&symbols, t->text.data, t->text.length, err);
  if (status == ATTCERT_OK) normal_text_set(t, &symbols);
  text_builder_clear(&symbols);
  return status;
}

const normalizer_kind normalizer_byte_level = {{"ByteLevel", NULL, NULL, NULL}, byte_level_apply};
