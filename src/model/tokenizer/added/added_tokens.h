/* Tokens that are found in a text before it is cut into pieces, special ones and others, as Hugging Face tokenizers
 * finds them: from left to right, the longest that begins first; first those that are not normalized, in the text as it
 * is, then the others, in its normal form by their own. */
#ifndef ATTCERT_MODEL_TOKENIZER_ADDED_ADDED_TOKENS_H
#define ATTCERT_MODEL_TOKENIZER_ADDED_ADDED_TOKENS_H

#include "model/tokenizer/normalizer/normalizer.h"
#include "model/tokenizer/vocabulary/vocabulary.h"

typedef struct {
  char *content;
  int id;              /* ADDED_TOKEN_ID: not said */
  bool single_word;    /* not where a word character is beside it */
  bool lstrip, rstrip; /* takes white space beside it along */
  bool normalized, special;
} added_token;

enum { ADDED_TOKEN_ID = -1, ADDED_TOKENS_MAX = 16384 };

typedef struct {
  added_token *token;
  size_t count, capacity;
  vocabulary as_is, normal; /* what is looked for: spelling to index */
} added_tokens;

/* Adds a copy. A token that is there already stays as it is where the new one is the same, or says no id; it is refused
 * where it differs. path: for messages. */
attcert_status added_tokens_add(added_tokens *a, const added_token *token, const char *path, attcert_error *err);

/* Reads {"id": .., "content": .., "single_word": .., ..}; the id is one where the object has it. */
attcert_status added_tokens_read(added_tokens *a, const component *c, int id, attcert_error *err);

/* Once all are there: gives an id to those without one, and refuses an id that tokenizers would not give the token:
 * that of the model's vocabulary, or the next after all of them, size being that of the model. */
attcert_status added_tokens_finish(added_tokens *a, const vocabulary *v, int size, const normalizer *n,
                                   const char *path, attcert_error *err);
void added_tokens_clear(added_tokens *a);

/* The token with this content, or id; NULL: there is none. */
const added_token *added_tokens_find(const added_tokens *a, const char *content);
const added_token *added_tokens_with_id(const added_tokens *a, int id);

/* A part of a text: an added token, or what lies between two. */
typedef struct {
  size_t start, end;
  const added_token *token; /* NULL: text */
} text_section;

typedef struct {
  text_section *section;
  size_t count, capacity;
} section_list;

/* The sections of a text, valid UTF-8, or of a normal form. l is empty before. */
attcert_status added_tokens_cut(section_list *l, const added_tokens *a, bool normal, const char *text, size_t length,
                                attcert_error *err);
void section_list_clear(section_list *l);

#endif
