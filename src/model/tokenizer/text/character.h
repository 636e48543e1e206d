/* Code points of valid UTF-8 text and their classes, by libutf8proc's Unicode tables. */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_CHARACTER_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code point that `text`, valid UTF-8 and not empty, begins with; *length: its bytes. */
int32_t character_at(size_t *length, const char *text);

/* Bytes of that character. */
size_t character_length(const char *text);

/* Unicode's White_Space. */
bool character_is_space(int32_t codepoint);

/* Categories P*, and all ASCII that is neither letter, digit, space nor control, such as '$' and '^', which Unicode
 * calls symbols. */
bool character_is_punctuation(int32_t codepoint);

/* Categories Cc, Cf and Co, but not tab, newline and carriage return: what BERT's normalizer removes. */
bool character_is_control(int32_t codepoint);

bool character_is_unassigned(int32_t codepoint);      /* Cn: in a later Unicode, perhaps, something else */
bool character_is_nonspacing_mark(int32_t codepoint); /* Mn */
bool character_is_mark(int32_t codepoint);            /* M* */
bool character_is_number(int32_t codepoint);          /* N* */

/* In the blocks of CJK ideographs that BERT sets apart; kana and hangul are not. */
bool character_is_ideograph(int32_t codepoint);

#endif
