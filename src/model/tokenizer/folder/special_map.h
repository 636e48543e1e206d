/* The special tokens that tokenizer_config.json and special_tokens_map.json name: {"cls_token": "[CLS]", ..}, where a
 * token may also be an object with its settings, and lists of further ones. */
#ifndef ATTCERT_MODEL_TOKENIZER_FOLDER_SPECIAL_MAP_H
#define ATTCERT_MODEL_TOKENIZER_FOLDER_SPECIAL_MAP_H

#include "model/tokenizer/folder/companion_files.h"

typedef struct {
  const char *role;  /* "cls_token"; "additional_special_tokens" for one of a list */
  added_token token; /* its content is borrowed from the files; id ADDED_TOKEN_ID */
  const char *path;  /* the file */
} special_entry;

typedef struct {
  special_entry *entry;
  size_t count, capacity;
} special_map;

/* ATTCERT_INPUT where the files name different tokens for one role. */
attcert_status special_map_read(special_map *s, const companion_files *f, attcert_error *err);
void special_map_clear(special_map *s);

/* The token of a role, or with a content; NULL: there is none. */
const added_token *special_map_role(const special_map *s, const char *role);
const added_token *special_map_content(const special_map *s, const char *content);

/* Whether a key of these files is such a role. */
bool special_map_is_role(const char *key);

#endif
