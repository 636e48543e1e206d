/* Tokens of an input with the texts that a vocabulary has for them. */
#ifndef ATTCERT_RUN_RUN_TOKENS_H
#define ATTCERT_RUN_RUN_TOKENS_H

#include "model/tokenizer/tokenizer.h"
#include "report/token_list.h"

/* The list of count >= 1 ids; t = NULL, or an id that its vocabulary lacks: their texts are not known. Errors:
 * ATTCERT_RESOURCE; token_list_clear is due in every case. */
attcert_status run_tokens_list(token_list *list, const int *ids, int count, const tokenizer *t, attcert_error *err);

#endif
