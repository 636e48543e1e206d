/* TemplateProcessing: "single" is a list of {"SpecialToken": {"id": NAME, "type_id": 0}} and one {"Sequence": {"id":
 * "A", "type_id": 0}}; "special_tokens" has the ids of every NAME. */
#ifndef ATTCERT_MODEL_TOKENIZER_POSTPROCESSOR_TEMPLATE_H
#define ATTCERT_MODEL_TOKENIZER_POSTPROCESSOR_TEMPLATE_H

#include "model/tokenizer/postprocessor/special_tokens.h"
#include "model/tokenizer/text/component.h"

attcert_status template_read(special_tokens *s, const component *c, attcert_error *err);

#endif
