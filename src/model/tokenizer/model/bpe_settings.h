/* What a byte-pair encoding has beside its vocabulary. */
#ifndef ATTCERT_MODEL_TOKENIZER_MODEL_BPE_SETTINGS_H
#define ATTCERT_MODEL_TOKENIZER_MODEL_BPE_SETTINGS_H

#include "model/tokenizer/model/bpe_merge.h"
#include "model/tokenizer/model/token_model_kind.h"

typedef struct {
  bpe_merges merges;
  char *unknown;         /* the unknown token's spelling; NULL: there is none */
  char *prefix, *suffix; /* of tokens that continue a word, and that end one */
  bool fuse_unknown, byte_fallback, ignore_merges;
  int byte_token[256]; /* for byte_fallback; -1: there is none */
} bpe_settings;

attcert_status bpe_encode(const token_model *m, token_window *out, const char *piece, size_t length,
                          attcert_error *err);

#endif
