/* The tokens numbered first .. end - 1 of a text's token sequence: encoders push every token in order, the window keeps
 * its own and says when nothing more is wanted, so that 64 tokens of a long text cost the time of 64 tokens. */
#ifndef ATTCERT_MODEL_TOKENIZER_TOKEN_WINDOW_H
#define ATTCERT_MODEL_TOKENIZER_TOKEN_WINDOW_H

#include "attcert.h"

typedef struct {
  size_t first, end; /* what is wanted; end may be SIZE_MAX */
  size_t seen;       /* tokens pushed so far */
  int *tokens;       /* the wanted ones, seen - first of them */
  size_t capacity;
} token_window;

void token_window_init(token_window *w, size_t first, size_t end);
void token_window_clear(token_window *w);

size_t token_window_count(const token_window *w); /* tokens kept */
bool token_window_full(const token_window *w);    /* nothing more is wanted */
bool token_window_keeps(const token_window *w);   /* the next token pushed will be kept */

attcert_status token_window_push(token_window *w, int token, attcert_error *err);

#endif
