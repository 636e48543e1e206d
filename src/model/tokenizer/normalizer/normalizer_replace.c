/* Replace: every occurrence of a string, or match of a regular expression, by a string. Prepend: a string before a text
 * that is not empty. */
#include "base/arrays.h"
#include "model/tokenizer/normalizer/normalizer_kind.h"
#include "model/tokenizer/text/split_pattern.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  split_pattern pattern;
  char *content;
} replacement;

static void replace_close(void *settings) {
  replacement *const r = settings;
  split_pattern_clear(&r->pattern);
  free(r->content);
  free(r);
}

static attcert_status copy_text(char **copy, const char *text, attcert_error *err) {
  *copy = strdup(text);
  return *copy != NULL ? ATTCERT_OK : array_out_of_memory(err, strlen(text) + 1, "a string of a normalizer");
}

/* Some versions expand $1 in the content. */
static attcert_status replace_open(void **settings, const component *c, attcert_error *err) {
  const char *content;
  attcert_status status = component_required_string(&content, c, "content", err);
  if (status != ATTCERT_OK) return status;
  replacement *const r = array_new(1, sizeof *r, err, "a normalizer");
  if (r == NULL) return ATTCERT_RESOURCE;
  status = split_pattern_read(&r->pattern, c, "pattern", err);
  if (status == ATTCERT_OK && r->pattern.expression.code != NULL && strchr(content, '$') != NULL)
    status = component_wrong(c, "content", "a string without '$' for a regular expression", err);
  if (status == ATTCERT_OK) status = copy_text(&r->content, content, err);
  if (status == ATTCERT_OK)
    *settings = r;
  else
    replace_close(r);
  return status;
}

static attcert_status replace_apply(const void *settings, normal_text *t, attcert_error *err) {
  const replacement *const r = settings;
  span_list spans = {0};
  attcert_status status = split_pattern_spans(&spans, &r->pattern, t->text.data, t->text.length, err);
  if (status == ATTCERT_OK) status = normal_text_replace(t, &spans, r->content, err);
  span_list_clear(&spans);
  return status;
}

static attcert_status prepend_open(void **settings, const component *c, attcert_error *err) {
  const char *text;
  char *copy = NULL;
  attcert_status status = component_required_string(&text, c, "prepend", err);
  if (status == ATTCERT_OK) status = copy_text(&copy, text, err);
  *settings = copy;
  return status;
}

static attcert_status prepend_apply(const void *settings, normal_text *t, attcert_error *err) {
  text_builder out = {0};
  if (t->text.length == 0) return ATTCERT_OK;
  attcert_status status = text_builder_append_string(&out, settings, err);
  if (status == ATTCERT_OK) status = text_builder_append(&out, t->text.data, t->text.length, err);
  if (status == ATTCERT_OK) normal_text_set(t, &out);
  text_builder_clear(&out);
  return status;
}

const normalizer_kind normalizer_replace = {
    {"Replace", (const char *const[]){"pattern", "content", NULL}, replace_open, replace_close}, replace_apply};
const normalizer_kind normalizer_prepend = {{"Prepend", (const char *const[]){"prepend", NULL}, prepend_open, free},
                                            prepend_apply};
