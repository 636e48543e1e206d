/* See split_pattern.h. */
#include "model/tokenizer/text/split_pattern.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

/* A search takes at most this many steps a byte. */
enum { STRING_MOST = 256 };

attcert_status split_pattern_read(split_pattern *p, const component *c, const char *key, attcert_error *err) {
  component inner;
  const char *text = NULL;
  *p = (split_pattern){.string = NULL};
  attcert_status status = component_member(&inner, c, key, err);
  if (status == ATTCERT_OK) status = component_check_keys(&inner, (const char *const[]){"String", "Regex", NULL}, err);
  if (status != ATTCERT_OK) return status;
  if (component_has(&inner, "Regex") == component_has(&inner, "String"))
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s: expected one of the keys 'String' and 'Regex'", inner.path,
                        inner.place);
  if (component_has(&inner, "Regex")) {
    status = component_required_string(&text, &inner, "Regex", err);
    return status == ATTCERT_OK ? pattern_compile(&p->expression, text, &inner, err) : status;
  }
  status = component_required_string(&text, &inner, "String", err);
  if (status == ATTCERT_OK && (text[0] == '\0' || strlen(text) > STRING_MOST))
    status = component_wrong(&inner, "String", "a string that is not empty, of at most 256 bytes", err);
  if (status != ATTCERT_OK) return status;
  p->string = strdup(text);
  return p->string != NULL ? ATTCERT_OK : array_out_of_memory(err, strlen(text) + 1, "a pattern");
}

void split_pattern_clear(split_pattern *p) {
  free(p->string);
  p->string = NULL;
  pattern_clear(&p->expression);
}

attcert_status split_pattern_spans(span_list *l, const split_pattern *p, const char *text, size_t length,
                                   attcert_error *err) {
  return p->string != NULL ? span_list_of_string(l, p->string, text, length, err)
                           : pattern_spans(l, &p->expression, text, length, err);
}
