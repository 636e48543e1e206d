/* The "post_processor" of a tokenizer.json (Hugging Face tokenizers), for one text: TemplateProcessing, BertProcessing,
 * RobertaProcessing, ByteLevel (which changes no tokens), or a sequence of them. */
#ifndef ATTCERT_MODEL_TOKENIZER_POSTPROCESSOR_POSTPROCESSOR_H
#define ATTCERT_MODEL_TOKENIZER_POSTPROCESSOR_POSTPROCESSOR_H

#include "model/tokenizer/postprocessor/special_tokens.h"
#include "model/tokenizer/text/component.h"

/* Puts its tokens around those that are in s. ATTCERT_INPUT names a component, or a key of one, that is not known, and
 * a template that repeats the text, leaves it out or gives it a token type other than 0. */
attcert_status postprocessor_read(special_tokens *s, const component *c, attcert_error *err);

#endif
