/* What becomes of the matches that a text is cut at. */
#ifndef ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_SPLIT_BEHAVIOUR_H
#define ATTCERT_MODEL_TOKENIZER_PRETOKENIZER_SPLIT_BEHAVIOUR_H

#include "model/tokenizer/text/component.h"
#include "model/tokenizer/text/piece_list.h"
#include "model/tokenizer/text/span_list.h"

typedef enum {
  SPLIT_REMOVED,              /* they go */
  SPLIT_ISOLATED,             /* each is a piece */
  SPLIT_MERGED_WITH_PREVIOUS, /* the first of several joins the piece before it */
  SPLIT_MERGED_WITH_NEXT,     /* the last of several joins the piece behind it */
  SPLIT_CONTIGUOUS            /* several in a row are one piece */
} split_behaviour;

/* *b keeps its value where the key is missing. */
attcert_status split_behaviour_read(split_behaviour *b, const component *c, const char *key, attcert_error *err);

/* Adds the pieces of a text. */
attcert_status split_behaviour_apply(piece_list *out, split_behaviour b, const span_list *spans, const char *text,
                                     attcert_error *err);

/* The same for the matches of a class of characters. */
attcert_status split_at_class(piece_list *out, split_behaviour b, bool (*is_in)(int32_t codepoint), const char *text,
                              size_t length, attcert_error *err);

#endif
