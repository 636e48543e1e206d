/* The models that are known, a file each. */
#ifndef ATTCERT_MODEL_TOKENIZER_MODEL_TOKEN_MODEL_KIND_H
#define ATTCERT_MODEL_TOKENIZER_MODEL_TOKEN_MODEL_KIND_H

#include "model/tokenizer/model/token_model.h"

typedef struct {
  const char *type;        /* in the JSON */
  const char *name;        /* in reports */
  const char *const *keys; /* beside "type" */
  /* Fills the vocabulary and the settings; what it leaves there is released by close also on failure. NULL: not a
   * model of JSON. */
  attcert_status (*open)(token_model *m, const component *c, attcert_error *err);
  attcert_status (*encode)(const token_model *m, token_window *out, const char *piece, size_t length,
                           attcert_error *err);
  void (*close)(void *settings); /* gets NULL where open did not come to them */
} token_model_kind;

struct token_model {
  const token_model_kind *kind;
  vocabulary vocabulary;
  void *settings;
  int size; /* tokens, repeated ones included */
};

/* A model of this kind with nothing in it yet. */
attcert_status token_model_new(token_model **m, const token_model_kind *kind, attcert_error *err);

/* Tokens "<0x00>" to "<0xFF>" of a vocabulary; -1 where there is none. Returns how many there are. */
int token_model_byte_tokens(int token[256], const vocabulary *v);

/* A text that has no token, nor one for what is unknown. */
attcert_status token_model_no_token(const char *text, size_t length, const char *unknown, attcert_error *err);

extern const token_model_kind token_model_bpe;        /* byte-pair encoding */
extern const token_model_kind token_model_bytes;      /* a byte a token */
extern const token_model_kind token_model_characters; /* a character a token */
extern const token_model_kind token_model_unigram;    /* the likeliest tokens */
extern const token_model_kind token_model_word_level; /* a piece a token */
extern const token_model_kind token_model_wordpiece;  /* the longest token first */

#endif
