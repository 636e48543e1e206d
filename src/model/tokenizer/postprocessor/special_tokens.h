/* The special tokens that are put around the tokens of a text. */
#ifndef ATTCERT_MODEL_TOKENIZER_POSTPROCESSOR_SPECIAL_TOKENS_H
#define ATTCERT_MODEL_TOKENIZER_POSTPROCESSOR_SPECIAL_TOKENS_H

#include "attcert.h"

enum { SPECIAL_TOKENS_MAX = 64 }; /* on one side */

/* The text's tokens come behind before[0 .. before_count - 1] and before after[0 .. after_count - 1]. */
typedef struct {
  int before[SPECIAL_TOKENS_MAX], after[SPECIAL_TOKENS_MAX];
  int before_count, after_count;
} special_tokens;

/* Puts tokens around what is there: the first one before it, or the last one behind it. false: there are too many. */
bool special_tokens_put_before(special_tokens *s, const int *ids, int count);
bool special_tokens_put_after(special_tokens *s, const int *ids, int count);

#endif
