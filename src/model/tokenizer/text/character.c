/* See character.h; the classes are those of Hugging Face tokenizers' BertNormalizer and BertPreTokenizer, which follow
 * google-research/bert, tokenization.py. */
#include "model/tokenizer/text/character.h"

#include <utf8proc.h>

typedef struct {
  int32_t first, last;
} range;

static bool in_ranges(int32_t codepoint, const range *ranges, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (codepoint >= ranges[i].first && codepoint <= ranges[i].last) return true;
  }
  return false;
}

int32_t character_at(size_t *length, const char *text) {
  utf8proc_int32_t codepoint;
  *length = character_length(text);
  utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)*length, &codepoint);
  return codepoint;
}

size_t character_length(const char *text) {
  return (size_t)utf8proc_utf8class[(unsigned char)text[0]];
}

bool character_is_space(int32_t codepoint) {
  const utf8proc_category_t category = utf8proc_category(codepoint);
  return (codepoint >= 0x09 && codepoint <= 0x0D) || codepoint == 0x85 || category == UTF8PROC_CATEGORY_ZS ||
         category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

bool character_is_punctuation(int32_t codepoint) {
  static const range ascii[] = {{33, 47}, {58, 64}, {91, 96}, {123, 126}};
  const utf8proc_category_t category = utf8proc_category(codepoint);
  return in_ranges(codepoint, ascii, sizeof ascii / sizeof ascii[0]) ||
         (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO);
}

bool character_is_control(int32_t codepoint) {
  const utf8proc_category_t category = utf8proc_category(codepoint);
  return codepoint != '\t' && codepoint != '\n' && codepoint != '\r' &&
         (category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_CO);
}

bool character_is_unassigned(int32_t codepoint) {
  return utf8proc_category(codepoint) == UTF8PROC_CATEGORY_CN;
}

bool character_is_nonspacing_mark(int32_t codepoint) {
  return utf8proc_category(codepoint) == UTF8PROC_CATEGORY_MN;
}

bool character_is_mark(int32_t codepoint) {
  const utf8proc_category_t category = utf8proc_category(codepoint);
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

bool character_is_number(int32_t codepoint) {
  const utf8proc_category_t category = utf8proc_category(codepoint);
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

/* The block from U+2B920 on is tokenizers'; BERT's own code has U+2B820 there. */
bool character_is_ideograph(int32_t codepoint) {
  static const range cjk[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
                              {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
  return in_ranges(codepoint, cjk, sizeof cjk / sizeof cjk[0]);
}
