/* One character (code point) a token, as in character-level language models; one byte a token. */
#ifndef ATTCERT_MODEL_TOKENIZER_MODEL_CHARACTERS_H
#define ATTCERT_MODEL_TOKENIZER_MODEL_CHARACTERS_H

#include "model/tokenizer/model/token_model.h"

/* Takes over a vocabulary, also on failure, all of whose tokens are single characters; path: for messages. Of a text it
 * encodes, characters that the window does not keep need no token. */
attcert_status characters_open(token_model **m, vocabulary *v, const char *path, attcert_error *err);

/* Tokens 0 to 255. */
attcert_status bytes_open(token_model **m, attcert_error *err);

#endif
