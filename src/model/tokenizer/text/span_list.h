/* A text cut at the matches of a pattern: spans in order that cover it, each a match or what lies between two. */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_SPAN_LIST_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_SPAN_LIST_H

#include "attcert.h"

typedef struct {
  size_t start, end; /* bytes */
  bool match;
} text_span;

typedef struct {
  text_span *span;
  size_t count, capacity;
} span_list;

attcert_status span_list_add(span_list *l, size_t start, size_t end, bool match, attcert_error *err);

/* Adds a match, and before it what lies between the last span and it; matches are not empty and come in order. */
attcert_status span_list_add_match(span_list *l, size_t start, size_t end, attcert_error *err);

/* Adds what is left of a text of `length` bytes. */
attcert_status span_list_finish(span_list *l, size_t length, attcert_error *err);

void span_list_clear(span_list *l);

/* The spans of a text whose matches are: every character of a class, one each; every occurrence of a string, which is
 * not empty. l is empty before. */
attcert_status span_list_of_class(span_list *l, bool (*is_in)(int32_t codepoint), const char *text, size_t length,
                                  attcert_error *err);
attcert_status span_list_of_string(span_list *l, const char *string, const char *text, size_t length,
                                   attcert_error *err);

#endif
