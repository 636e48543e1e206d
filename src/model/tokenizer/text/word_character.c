/* See word_character.h. Alphabetic is L, Nl and Other_Alphabetic, of which what is no mark are the ranges below
 * (Unicode 15's PropList.txt): letters in circles and squares. */
#include "model/tokenizer/text/word_character.h"

#include <utf8proc.h>

static bool is_alphabetic_symbol(int32_t c) {
  return (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) ||
         (c >= 0x1F170 && c <= 0x1F189);
}

bool character_is_word(int32_t codepoint) {
  switch (utf8proc_category(codepoint)) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
  case UTF8PROC_CATEGORY_MN:
  case UTF8PROC_CATEGORY_MC:
  case UTF8PROC_CATEGORY_ME:
  case UTF8PROC_CATEGORY_ND:
  case UTF8PROC_CATEGORY_NL:
  case UTF8PROC_CATEGORY_PC:
    return true;
  default:
    return codepoint == 0x200C || codepoint == 0x200D || is_alphabetic_symbol(codepoint);
  }
}
