/* The small JSON files beside a tokenizer: tokenizer_config.json, special_tokens_map.json, added_tokens.json, and the
 * model's config.json, for its model_type. */
#ifndef ATTCERT_MODEL_TOKENIZER_FOLDER_COMPANION_FILES_H
#define ATTCERT_MODEL_TOKENIZER_FOLDER_COMPANION_FILES_H

#include "model/format/json_file.h"
#include "model/tokenizer/pipeline/token_pipeline.h"

#define COMPANION_CONFIG_NAME "tokenizer_config.json"
#define COMPANION_SPECIAL_NAME "special_tokens_map.json"
#define COMPANION_ADDED_NAME "added_tokens.json"

/* root is NULL where there is no such file. */
typedef struct {
  json_file config, special, added, model;
} companion_files;

/* Reads those that are there, and notes them. folder = NULL: none. */
attcert_status companion_files_open(companion_files *f, token_pipeline *p, const char *folder, attcert_error *err);
void companion_files_close(companion_files *f);

/* A file as a component; an empty object where there is no such file. */
component companion_component(const json_file *file);

/* Whether folder/name exists; its path goes to `path`, of PATH_MAX bytes. */
bool companion_find(char *path, const char *folder, const char *name);

#endif
