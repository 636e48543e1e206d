/* What a tokenizer is made of, and the way of a text through it: added tokens, normalizer, added tokens of the normal
 * form, pre-tokenizer, model; special tokens around them. */
#ifndef ATTCERT_MODEL_TOKENIZER_PIPELINE_TOKEN_PIPELINE_H
#define ATTCERT_MODEL_TOKENIZER_PIPELINE_TOKEN_PIPELINE_H

#include "model/format/sha256.h"
#include "model/tokenizer/added/added_tokens.h"
#include "model/tokenizer/model/token_model.h"
#include "model/tokenizer/normalizer/normalizer.h"
#include "model/tokenizer/postprocessor/special_tokens.h"
#include "model/tokenizer/pretokenizer/pretokenizer.h"
#include "model/tokenizer/text/text_file.h"
#include "model/tokenizer/vocabulary/token_window.h"

#include <limits.h>

enum { PIPELINE_FILES_MAX = 8 };

/* A file that it was read from. */
typedef struct {
  char path[PATH_MAX];
  char sha256[SHA256_HEX_SIZE];
} pipeline_file;

/* Parts that are NULL change nothing; the model is always there. */
typedef struct {
  added_tokens added;
  normalizer *normalizer;
  pretokenizer *pretokenizer;
  token_model *model;
  special_tokens special;
  int max_length; /* of a sequence; 0: any */
  char kind[32];  /* for reports */
  pipeline_file file[PIPELINE_FILES_MAX];
  int file_count;
} token_pipeline;

/* At most PIPELINE_FILES_MAX. */
void token_pipeline_note_file(token_pipeline *p, const char *path, const char *sha256);
void token_pipeline_close(token_pipeline *p);

/* The spelling of a token; NULL: there is none. */
const char *token_pipeline_piece(const token_pipeline *p, int id);

/* The tokens of a text, which is valid UTF-8, without special ones around it. */
attcert_status token_pipeline_encode(const token_pipeline *p, token_window *out, const text_view *text,
                                     attcert_error *err);

#endif
