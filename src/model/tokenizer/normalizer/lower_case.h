/* Unicode's lower case of one character (its full mapping; no context: a final sigma is a sigma). */
#ifndef ATTCERT_MODEL_TOKENIZER_NORMALIZER_LOWER_CASE_H
#define ATTCERT_MODEL_TOKENIZER_NORMALIZER_LOWER_CASE_H

#include "model/tokenizer/text/text_builder.h"

attcert_status lower_case(text_builder *out, int32_t codepoint, attcert_error *err);

#endif
