#include "run/run_tokens.h"

#include <string.h>

attcert_status run_tokens_list(token_list *list, const int *ids, int count, const tokenizer *t, attcert_error *err) {
  attcert_status status = token_list_init(list, ids, count, err);
  if (status != ATTCERT_OK || t == NULL) return status;
  list->wordpiece = strcmp(tokenizer_kind(t), "WordPiece") == 0;
  for (int i = 0; i < count && status == ATTCERT_OK; i++)
    status = token_list_set_text(list, i, tokenizer_piece(t, ids[i]), err);
  return status;
}
