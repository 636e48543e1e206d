/* The pieces that a text is cut into, one after the other in memory; none is empty. */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_PIECE_LIST_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_PIECE_LIST_H

#include "model/tokenizer/text/text_builder.h"

typedef struct {
  text_builder text;
  size_t *end; /* of each piece, in text */
  size_t count, capacity;
} piece_list;

/* Adds a piece; nothing where it is empty. */
attcert_status piece_list_add(piece_list *p, const char *bytes, size_t length, attcert_error *err);
void piece_list_clear(piece_list *p);

const char *piece_list_get(size_t *length, const piece_list *p, size_t i);

#endif
