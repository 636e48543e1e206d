/* Tokens as a handle. */
#ifndef ATTCERT_API_TOKENS_HANDLE_H
#define ATTCERT_API_TOKENS_HANDLE_H

#include "attcert.h"
#include "report/token_list.h"

struct attcert_tokens {
  int *ids;
  token_list list; /* of these ids */
};

/* The handle's list is copied over *list; NULL: the list becomes empty. Its count has to be that of the input's rows.
 * Errors: ATTCERT_INPUT, ATTCERT_RESOURCE; *list is then empty. */
attcert_status tokens_handle_copy(token_list *list, const attcert_tokens *tokens, size_t rows, attcert_error *err);

#endif
