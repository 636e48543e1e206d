/* Nmt: control characters go, and what counts as white space becomes a blank, as in sentencepiece's rules "nmt". */
#include "model/tokenizer/normalizer/normalizer_kind.h"

static bool is_removed(int32_t c) {
  return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
}

static bool is_blank(int32_t c) {
  return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
         c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
}

static attcert_status nmt(text_builder *out, int32_t codepoint, attcert_error *err) {
  if (is_removed(codepoint)) return ATTCERT_OK;
  return text_builder_append_character(out, is_blank(codepoint) ? ' ' : codepoint, err);
}

static attcert_status nmt_apply(const void *settings, normal_text *t, attcert_error *err) {
  (void)settings;
  return normal_text_map(t, nmt, err);
}

const normalizer_kind normalizer_nmt = {{"Nmt", NULL, NULL, NULL}, nmt_apply};
