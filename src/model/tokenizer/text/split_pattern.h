/* The "pattern" of a component: {"String": "..."} or {"Regex": "..."}. */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_SPLIT_PATTERN_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_SPLIT_PATTERN_H

#include "model/tokenizer/text/pattern.h"

typedef struct {
  char *string;       /* not empty; NULL: expression */
  pattern expression; /* code is NULL: string */
} split_pattern;

attcert_status split_pattern_read(split_pattern *p, const component *c, const char *key, attcert_error *err);
void split_pattern_clear(split_pattern *p);

attcert_status split_pattern_spans(span_list *l, const split_pattern *p, const char *text, size_t length,
                                   attcert_error *err);

#endif
