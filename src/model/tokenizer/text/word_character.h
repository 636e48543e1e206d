/* \w of Rust's regular expressions (UTS 18, annex C): Alphabetic, M, Nd, Pc, Join_Control. */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_WORD_CHARACTER_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_WORD_CHARACTER_H

#include <stdbool.h>
#include <stdint.h>

bool character_is_word(int32_t codepoint);

#endif
