/* What BERT's basic tokenizer does with one code point (after canonical decomposition, NFD). */
#ifndef ATTCERT_MODEL_TOKENIZER_BERT_CHARACTER_H
#define ATTCERT_MODEL_TOKENIZER_BERT_CHARACTER_H

#include <stdint.h>

typedef enum {
  BERT_DROP,  /* U+0000, U+FFFD, control, format, private and unassigned characters, accents (category Mn) */
  BERT_SPACE, /* tab, newline, carriage return, every separator (category Z) */
  BERT_ALONE, /* punctuation, and CJK ideographs: a word by itself */
  BERT_PART   /* part of a word */
} bert_character;

bert_character bert_character_classify(int32_t codepoint);

#endif
