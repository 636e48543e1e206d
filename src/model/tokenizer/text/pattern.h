/* Regular expressions of tokenizers. They are written for Oniguruma (its Ruby syntax, Unicode), and run by PCRE2; what
 * the two may understand differently is refused (pattern_translate.h). */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_PATTERN_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_PATTERN_H

#include "model/tokenizer/text/component.h"
#include "model/tokenizer/text/span_list.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Shared by any number of texts and threads. */
typedef struct {
  pcre2_code *code;
} pattern;

/* where: the component that the expression stands in, for messages. Refused is also what matches the empty string. */
attcert_status pattern_compile(pattern *p, const char *expression, const component *where, attcert_error *err);
void pattern_clear(pattern *p);

/* The spans of a text, which is valid UTF-8. ATTCERT_INPUT where a match needs more steps than PCRE2 allows. */
attcert_status pattern_spans(span_list *l, const pattern *p, const char *text, size_t length, attcert_error *err);

#endif
