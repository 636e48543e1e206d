/* What is done to a text before it is cut into words, as the "normalizer" of a tokenizer.json says (Hugging Face
 * tokenizers): one of the components of normalizer_kind.h, or a sequence of them. */
#ifndef ATTCERT_MODEL_TOKENIZER_NORMALIZER_NORMALIZER_H
#define ATTCERT_MODEL_TOKENIZER_NORMALIZER_NORMALIZER_H

#include "model/tokenizer/normalizer/normal_text.h"
#include "model/tokenizer/text/component_list.h"

typedef component_list normalizer; /* of normalizer_kind */

/* ATTCERT_INPUT names a component, or a key of one, that is not known. */
attcert_status normalizer_open(normalizer **n, const component *c, attcert_error *err);

/* n = NULL: nothing is done. ATTCERT_INPUT for a character that the component cannot place. */
attcert_status normalizer_apply(const normalizer *n, normal_text *t, attcert_error *err);

#endif
