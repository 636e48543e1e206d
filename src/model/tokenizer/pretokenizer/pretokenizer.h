/* How a text is cut into pieces, each of which is tokenized alone, as the "pre_tokenizer" of a tokenizer.json says
 * (Hugging Face tokenizers): one of the components of pretokenizer_kind.h, or a sequence of them. */
#ifndef ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_PRETOKENIZER_H
#define ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_PRETOKENIZER_H

#include "model/tokenizer/text/component_list.h"
#include "model/tokenizer/text/piece_list.h"

typedef component_list pretokenizer; /* of pretokenizer_kind */

/* ATTCERT_INPUT names a component, or a key of one, that is not known. */
attcert_status pretokenizer_open(pretokenizer **p, const component *c, attcert_error *err);

/* Adds the pieces of a text, which is valid UTF-8. p = NULL: one piece. at_start: the text's first character is the
 * first one of the whole text. */
attcert_status pretokenizer_split(piece_list *out, const pretokenizer *p, const char *text, size_t length,
                                  bool at_start, attcert_error *err);

#endif
