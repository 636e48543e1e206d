/* See tokenizer.h: a text as a sequence of tokens. */
#include "base/arrays.h"
#include "model/tokenizer/pipeline/token_pipeline.h"
#include "model/tokenizer/tokenizer_struct.h"

#include <stdlib.h>
#include <string.h>

/* What a span asks for: `added` of its tokens are special. */
static attcert_status check_span(const token_pipeline *p, const tokenizer_span *span, int added, attcert_error *err) {
  if (span->n < 0 || span->offset < 0)
    return attcert_fail(err, ATTCERT_INPUT, "%d tokens from offset %d: expected at least one, from offset 0 or later",
                        span->n, span->offset);
  if (span->n > 0 && span->n <= added)
    return attcert_fail(err, ATTCERT_INPUT, "%d tokens, %d of them special: expected at least %d", span->n, added,
                        added + 1);
  if (p->max_length > 0 && span->n > p->max_length)
    return attcert_fail(err, ATTCERT_INPUT, "%d tokens: the tokenizer truncates to %d, expected no more", span->n,
                        p->max_length);
  return ATTCERT_OK;
}

static attcert_status check_window(const token_window *w, const token_pipeline *p, const tokenizer_span *span,
                                   size_t added, const char *text_path, attcert_error *err) {
  const size_t count = token_window_count(w);
  if (span->n > 0 && !token_window_full(w))
    return attcert_fail(err, ATTCERT_INPUT, "%s: %zu tokens from offset %d asked for, but the text has %zu (%s)",
                        text_path, w->end - w->first, span->offset, w->seen, p->kind);
  if (count == 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: tokens from offset %d on asked for, but the text has %zu (%s)",
                        text_path, span->offset, w->seen, p->kind);
  if (count > INT_MAX - added)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %zu tokens, expected at most %d", text_path, count, INT_MAX);
  if (p->max_length > 0 && count + added > (size_t)p->max_length)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %zu tokens: the tokenizer truncates to %d, expected no more",
                        text_path, count + added, p->max_length);
  return ATTCERT_OK;
}

/* The special tokens around those that the window kept. */
static attcert_status put_together(int **ids, int *count, const special_tokens *around, const token_window *w,
                                   attcert_error *err) {
  const size_t kept = token_window_count(w), before = (size_t)around->before_count;
  const size_t total = kept + before + (size_t)around->after_count;
  *ids = array_new(total, sizeof **ids, err, "a list of %zu tokens", total);
  if (*ids == NULL) return ATTCERT_RESOURCE;
  memcpy(*ids, around->before, before * sizeof **ids);
  memcpy(*ids + before, w->tokens, kept * sizeof **ids);
  memcpy(*ids + before + kept, around->after, (size_t)around->after_count * sizeof **ids);
  *count = (int)total;
  return ATTCERT_OK;
}

static attcert_status sequence_of(int **ids, int *count, const token_pipeline *p, const tokenizer_span *span,
                                  const text_view *text, attcert_error *err) {
  static const special_tokens none;
  const special_tokens *const around = span->special ? &p->special : &none;
  const int added = around->before_count + around->after_count;
  *ids = NULL;
  *count = 0;
  attcert_status status = check_span(p, span, added, err);
  if (status != ATTCERT_OK) return status;
  token_window w;
  token_window_init(&w, (size_t)span->offset,
                    span->n > 0 ? (size_t)span->offset + (size_t)(span->n - added) : SIZE_MAX);
  status = token_pipeline_encode(p, &w, text, err);
  if (status == ATTCERT_OK) status = check_window(&w, p, span, (size_t)added, text->name, err);
  if (status == ATTCERT_OK) status = put_together(ids, count, around, &w, err);
  token_window_clear(&w);
  return status;
}

attcert_status tokenizer_sequence(int **ids, int *count, char *sha256, const tokenizer *t, const tokenizer_span *span,
                                  const char *text_path, attcert_error *err) {
  text_file file;
  *ids = NULL;
  attcert_status status = text_file_open(&file, text_path, err);
  if (status != ATTCERT_OK) return status;
  status = sequence_of(ids, count, &t->pipeline, span, &file.text, err);
  if (status == ATTCERT_OK && sha256 != NULL) status = text_file_digest(sha256, &file, err);
  text_file_close(&file);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  free(*ids);
  *ids = NULL;
  return status;
}

attcert_status tokenizer_text(int **ids, int *count, const tokenizer *t, const tokenizer_span *span, const char *text,
                              const char *name, attcert_error *err) {
  const text_view view = {name, text, strlen(text)};
  *ids = NULL;
  const attcert_status status = text_file_check_utf8(&view, err);
  return status == ATTCERT_OK ? sequence_of(ids, count, &t->pipeline, span, &view, err) : status;
}
