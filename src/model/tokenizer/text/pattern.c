/* See pattern.h. */
#include "model/tokenizer/text/pattern.h"

#include "base/arrays.h"
#include "model/tokenizer/text/pattern_translate.h"

/* ^ and $ are those of lines, and only \n ends one. */
static pcre2_code *compile(const text_builder *translated, int *code, size_t *offset) {
  pcre2_compile_context *const context = pcre2_compile_context_create(NULL);
  if (context == NULL) {
    *code = PCRE2_ERROR_NOMEMORY;
    return NULL;
  }
  pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  pcre2_code *const compiled =
      pcre2_compile((PCRE2_SPTR)translated->data, translated->length,
                    PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, code, offset, context);
  pcre2_compile_context_free(context);
  return compiled;
}

static bool matches_nothing(const pcre2_code *code) {
  uint32_t empty = 1;
  return pcre2_pattern_info(code, PCRE2_INFO_MATCHEMPTY, &empty) != 0 || empty != 0;
}

attcert_status pattern_compile(pattern *p, const char *expression, const component *where, attcert_error *err) {
  text_builder translated = {0};
  int code = 0;
  size_t offset = 0;
  p->code = NULL;
  attcert_status status = pattern_translate(&translated, expression, where, err);
  if (status == ATTCERT_OK) p->code = compile(&translated, &code, &offset);
  text_builder_clear(&translated);
  if (status != ATTCERT_OK) return status;
  if (p->code == NULL && (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAP_FAILED))
    return array_out_of_memory(err, 0, "a regular expression of %s", where->path);
  if (p->code == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s: PCRE2 error %d in the regular expression, expected a valid one",
                        where->path, where->place, code);
  if (!matches_nothing(p->code)) return ATTCERT_OK;
  pattern_clear(p);
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: %s: the regular expression matches the empty string, expected one that does not",
                      where->path, where->place);
}

void pattern_clear(pattern *p) {
  pcre2_code_free(p->code);
  p->code = NULL;
}

/* Without NO_UTF_CHECK every match would check the whole text again. */
static attcert_status find_all(span_list *l, const pattern *p, pcre2_match_data *match, const char *text, size_t length,
                               attcert_error *err) {
  const PCRE2_SIZE *const found = pcre2_get_ovector_pointer(match);
  attcert_status status = ATTCERT_OK;
  for (size_t at = 0; status == ATTCERT_OK && at < length; at = found[1]) {
    const int matched = pcre2_match(p->code, (PCRE2_SPTR)text, length, at, PCRE2_NO_UTF_CHECK, match, NULL);
    if (matched == PCRE2_ERROR_NOMATCH) break;
    if (matched == PCRE2_ERROR_NOMEMORY) return array_out_of_memory(err, 0, "a match in a text of %zu bytes", length);
    if (matched < 0)
      return attcert_fail(err, ATTCERT_INPUT,
                          "PCRE2 error %d in a text of %zu bytes, expected an expression that matches in fewer steps",
                          matched, length);
    status = span_list_add_match(l, found[0], found[1], err);
  }
  return status;
}

attcert_status pattern_spans(span_list *l, const pattern *p, const char *text, size_t length, attcert_error *err) {
  pcre2_match_data *const match = pcre2_match_data_create_from_pattern(p->code, NULL);
  if (match == NULL) return array_out_of_memory(err, 0, "a match in a text of %zu bytes", length);
  attcert_status status = find_all(l, p, match, text, length, err);
  pcre2_match_data_free(match);
  return status == ATTCERT_OK ? span_list_finish(l, length, err) : status;
}
