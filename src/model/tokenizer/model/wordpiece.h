/* WordPiece (Devlin et al. 2019; google-research/bert, tokenization.py): greedy, the longest token first; tokens that
 * continue a word are spelt with a prefix, "##". A word without such a cover, or of too many characters, is one unknown
 * token. */
#ifndef ATTCERT_MODEL_TOKENIZER_MODEL_WORDPIECE_H
#define ATTCERT_MODEL_TOKENIZER_MODEL_WORDPIECE_H

#include "model/tokenizer/model/token_model.h"

/* Takes over the vocabulary, also on failure. */
attcert_status wordpiece_open(token_model **m, vocabulary *v, const char *unknown, attcert_error *err);

#endif
