/* The part of a tokenizer that turns a piece of text into tokens, as the "model" of a tokenizer.json says (Hugging Face
 * tokenizers): one of the models of token_model_kind.h. */
#ifndef ATTCERT_MODEL_TOKENIZER_MODEL_TOKEN_MODEL_H
#define ATTCERT_MODEL_TOKENIZER_MODEL_TOKEN_MODEL_H

#include "model/tokenizer/text/component.h"
#include "model/tokenizer/vocabulary/token_window.h"
#include "model/tokenizer/vocabulary/vocabulary.h"

typedef struct token_model token_model; /* opaque */

/* ATTCERT_INPUT names a model, or a key of one, that is not known. */
attcert_status token_model_open(token_model **m, const component *c, attcert_error *err);
void token_model_close(token_model *m);

/* The tokens of a piece, which is valid UTF-8 and not empty. ATTCERT_INPUT for text that has no token. */
attcert_status token_model_encode(const token_model *m, token_window *out, const char *piece, size_t length,
                                  attcert_error *err);

const char *token_model_name(const token_model *m);
const vocabulary *token_model_vocabulary(const token_model *m);

/* How many tokens the model says that it has: new tokens are numbered from there on. */
int token_model_size(const token_model *m);

#endif
