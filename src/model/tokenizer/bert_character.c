/* The character classes of BERT's basic tokenizer (google-research/bert, tokenization.py), with the control class of
 * its Hugging Face successors: every category C*, where the original dropped Cc and Cf only. */
#include "model/tokenizer/bert_character.h"

#include <stdbool.h>
#include <stddef.h>
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

/* All ASCII that is neither letter, digit nor space counts as punctuation, such as '$' and '^',
 * which Unicode calls symbols. */
static bool is_punctuation(int32_t codepoint, utf8proc_category_t category) {
  static const range ascii[] = {{33, 47}, {58, 64}, {91, 96}, {123, 126}};
  return in_ranges(codepoint, ascii, sizeof ascii / sizeof ascii[0]) ||
         (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO);
}

/* The Unicode blocks of CJK ideographs; kana and hangul are words with spaces or pieces like any other. */
static bool is_ideograph(int32_t codepoint) {
  static const range cjk[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
                              {0x2B740, 0x2B81F}, {0x2B820, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
  return in_ranges(codepoint, cjk, sizeof cjk / sizeof cjk[0]);
}

static bool is_space(int32_t codepoint, utf8proc_category_t category) {
  return codepoint == '\t' || codepoint == '\n' || codepoint == '\r' || category == UTF8PROC_CATEGORY_ZS ||
         category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

static bool is_control(utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_CN || (category >= UTF8PROC_CATEGORY_CC && category <= UTF8PROC_CATEGORY_CO);
}

bert_character bert_character_classify(int32_t codepoint) {
  const utf8proc_category_t category = utf8proc_category(codepoint);
  if (is_space(codepoint, category)) return BERT_SPACE;
  if (codepoint == 0xFFFD || category == UTF8PROC_CATEGORY_MN || is_control(category)) return BERT_DROP;
  if (is_ideograph(codepoint) || is_punctuation(codepoint, category)) return BERT_ALONE;
  return BERT_PART;
}
