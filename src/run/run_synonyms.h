/* Which tokens may stand at some places of an input, from a file: lines "PLACE WORD WORD .." (empty ones and those
 * that begin with # are left out), or JSON, {"PLACE": [WORD, ..], ..}. A place is a number from 0, as reports count
 * tokens; a word is one of one token, a number (in JSON no string) the token's id itself. */
#ifndef ATTCERT_RUN_RUN_SYNONYMS_H
#define ATTCERT_RUN_RUN_SYNONYMS_H

#include "model/format/sha256.h"
#include "model/tokenizer/tokenizer.h"
#include "report/token_list.h"

typedef struct {
  int *first; /* [tokens + 1]: choices first[i] .. first[i + 1] - 1 of token i, the input's own first */
  token_list choices;
} run_synonyms;

/* ids, list: of the input's tokens. t: NULL, where no tokenizer is known: ids alone may be named. Errors: ATTCERT_INPUT
 * (a place twice or outside, a place within a word of several tokens, a word of several or of none, a token twice at a
 * place), ATTCERT_RESOURCE. run_synonyms_clear is due in every case. */
attcert_status run_synonyms_read(run_synonyms *s, char sha256[SHA256_HEX_SIZE], const char *path, const int *ids,
                                 const token_list *list, const tokenizer *t, attcert_error *err);
void run_synonyms_clear(run_synonyms *s);

#endif
