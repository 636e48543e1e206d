/* A tokenizer, for the files that implement it. */
#ifndef ATTCERT_MODEL_TOKENIZER_TOKENIZER_STRUCT_H
#define ATTCERT_MODEL_TOKENIZER_TOKENIZER_STRUCT_H

#include "model/tokenizer/pipeline/token_pipeline.h"
#include "model/tokenizer/tokenizer.h"

struct tokenizer {
  token_pipeline pipeline;
};

#endif
