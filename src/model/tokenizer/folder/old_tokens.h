/* The added and special tokens of a tokenizer without tokenizer.json. */
#ifndef ATTCERT_MODEL_TOKENIZER_FOLDER_OLD_TOKENS_H
#define ATTCERT_MODEL_TOKENIZER_FOLDER_OLD_TOKENS_H

#include "model/tokenizer/folder/special_map.h"

/* What transformers' class has where the files name no token for a role. */
typedef struct {
  const char *role, *content;
  bool lstrip; /* also of a token that a file names as a string only */
} default_token;

/* Adds to p, whose model and normalizer are there: added_tokens.json, the added_tokens_decoder of
 * tokenizer_config.json, and the special tokens of the map and of the defaults, a list that {NULL} ends. Those of the
 * map must have an id; defaults that the vocabulary lacks are left out. */
attcert_status old_tokens_add(token_pipeline *p, const companion_files *f, const special_map *map,
                              const default_token *defaults, const char *path, attcert_error *err);

/* The id of the token that has a role; -1: the vocabulary has none. */
int old_tokens_id(const token_pipeline *p, const special_map *map, const default_token *defaults, const char *role);

#endif
