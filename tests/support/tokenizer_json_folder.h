/* Folders that hold a tokenizer.json and nothing else, for tests. */
#ifndef ATTCERT_TEST_TOKENIZER_JSON_FOLDER_H
#define ATTCERT_TEST_TOKENIZER_JSON_FOLDER_H

#include "temp_folder.h"

#include <jansson.h>
#include <stdbool.h>

/* Writes the folder's tokenizer.json, with "added_tokens", "normalizer", "pre_tokenizer", "post_processor" and "model".
 * Each is JSON text, or NULL for null; the model is taken over (json_decref). */
void tokenizer_json_write(const temp_folder *folder, const char *added_tokens, const char *normalizer,
                          const char *pre_tokenizer, const char *post_processor, json_t *model);

/* The same with the model as JSON text. */
void tokenizer_json_write_text(const temp_folder *folder, const char *added_tokens, const char *normalizer,
                               const char *pre_tokenizer, const char *post_processor, const char *model);

/* {"TOKEN": LINE, ..} of a vocab.txt; the array of merges of a vocab.bpe, each "LEFT RIGHT" or ["LEFT", "RIGHT"]. */
json_t *tokenizer_json_vocabulary(const char *path);
json_t *tokenizer_json_merges(const char *path, bool as_pairs);

#endif
