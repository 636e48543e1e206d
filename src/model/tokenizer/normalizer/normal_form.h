/* Unicode's normal forms. */
#ifndef ATTCERT_MODEL_TOKENIZER_NORMALIZER_NORMAL_FORM_H
#define ATTCERT_MODEL_TOKENIZER_NORMALIZER_NORMAL_FORM_H

#include "model/tokenizer/normalizer/normal_text.h"

typedef enum { NORMAL_FORM_C, NORMAL_FORM_D, NORMAL_FORM_KC, NORMAL_FORM_KD } normal_form;

attcert_status normal_form_apply(normal_text *t, normal_form form, attcert_error *err);

#endif
