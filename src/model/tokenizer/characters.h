/* One character (code point) a token, as in character-level language models. */
#ifndef ATTCERT_MODEL_TOKENIZER_CHARACTERS_H
#define ATTCERT_MODEL_TOKENIZER_CHARACTERS_H

#include "attcert.h"
#include "model/tokenizer/text_file.h"
#include "model/tokenizer/token_window.h"
#include "model/tokenizer/vocabulary.h"

/* A vocab.json all of whose tokens are single characters. */
attcert_status characters_open(vocabulary *v, const char *path, attcert_error *err);

/* The text is valid UTF-8. Token i is character i of the text; ATTCERT_INPUT when one that the window
 * keeps is not in the vocabulary. */
attcert_status characters_encode(const vocabulary *v, token_window *out, const text_view *text, attcert_error *err);

#endif
