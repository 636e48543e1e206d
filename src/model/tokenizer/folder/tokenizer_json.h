/* tokenizer.json, the format of Hugging Face tokenizers. */
#ifndef ATTCERT_MODEL_TOKENIZER_FOLDER_TOKENIZER_JSON_H
#define ATTCERT_MODEL_TOKENIZER_FOLDER_TOKENIZER_JSON_H

#include "model/tokenizer/folder/companion_files.h"
#include "model/tokenizer/pipeline/token_pipeline.h"

/* Fills an empty pipeline; what it leaves there on failure, token_pipeline_close releases. Everything that may change
 * tokens is read or refused by name. Truncation bounds a sequence's length; padding adds no tokens to one sequence, as
 * in transformers unless asked. companions: the files beside it, which must not contradict. */
attcert_status tokenizer_json_read(token_pipeline *p, const char *path, const companion_files *companions,
                                   attcert_error *err);

#endif
