#include "api/tokens_handle.h"

#include "api/model_handle.h"
#include "base/arrays.h"
#include "base/environment.h"
#include "run/run_tokens.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The tokenizer at the path; NULL: the model folder's, or bytes for a random model. */
static attcert_status open_tokenizer(tokenizer **t, const attcert_model *m, const char *path, attcert_error *err) {
  return tokenizer_open(t, path != NULL ? path : model_folder(m->model), err);
}

/* Takes the ids, which free releases, whatever the outcome. */
static attcert_status make(attcert_tokens **made, int *ids, int count, const tokenizer *t, attcert_error *err) {
  attcert_tokens *const tokens = array_new(1, sizeof *tokens, err, "a handle of tokens");
  if (tokens == NULL) {
    free(ids);
    return ATTCERT_RESOURCE;
  }
  tokens->ids = ids;
  const attcert_status status = run_tokens_list(&tokens->list, ids, count, t, err);
  if (status == ATTCERT_OK)
    *made = tokens;
  else
    attcert_tokens_free(tokens);
  return status;
}

static attcert_status read_tokens(attcert_tokens **made, const attcert_model *m, const char *path,
                                  const char *text_path, size_t n, size_t offset, bool special, attcert_error *err) {
  tokenizer *t = NULL;
  int *ids = NULL, count = 0;
  if (made == NULL || m == NULL || text_path == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "tokens, model or text: NULL, expected a place, a handle and a path");
  *made = NULL;
  if (n > ATTCERT_SIDE_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "number of tokens is %zu, expected at most %d", n, ATTCERT_SIDE_MAX);
  if (offset > INT_MAX) return attcert_fail(err, ATTCERT_INPUT, "offset: %zu, expected at most %d", offset, INT_MAX);
  attcert_status status = open_tokenizer(&t, m, path, err);
  special = special && status == ATTCERT_OK && tokenizer_adds_special(t);
  const tokenizer_span span = {.offset = (int)offset, .n = (int)n, .special = special};
  if (status == ATTCERT_OK) status = tokenizer_sequence(&ids, &count, NULL, t, &span, text_path, err);
  if (status == ATTCERT_OK) status = make(made, ids, count, t, err);
  if (status == ATTCERT_OK) (*made)->list.special = special;
  tokenizer_close(t);
  return status;
}

static attcert_status new_tokens(attcert_tokens **made, const attcert_model *m, const char *path, const int *ids,
                                 size_t n, attcert_error *err) {
  tokenizer *t = NULL;
  if (made == NULL || m == NULL || ids == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "tokens, model or ids: NULL, expected all three");
  *made = NULL;
  if (n < 1 || n > ATTCERT_SIDE_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "number of tokens is %zu, expected 1 to %d", n, ATTCERT_SIDE_MAX);
  int *const copy = array_new(n, sizeof *copy, err, "a list of %zu tokens", n);
  if (copy == NULL) return ATTCERT_RESOURCE;
  memcpy(copy, ids, n * sizeof *copy);
  attcert_status status = open_tokenizer(&t, m, path, err);
  if (status == ATTCERT_INPUT && path == NULL) status = ATTCERT_OK; /* the texts are not known then */
  if (status == ATTCERT_OK)
    status = make(made, copy, (int)n, t, err);
  else
    free(copy);
  tokenizer_close(t);
  return status;
}

/* ---- what is exported ------------------------------------------------------------------------------------------- */

/* Scores of pieces are added up: in the default environment. */
attcert_status attcert_tokens_read(attcert_tokens **made, const attcert_model *m, const char *path,
                                   const char *text_path, size_t n, size_t offset, bool special, attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(
      &before, status == ATTCERT_OK ? read_tokens(made, m, path, text_path, n, offset, special, err) : status);
}

attcert_status attcert_tokens_new(attcert_tokens **made, const attcert_model *m, const char *path, const int *ids,
                                  size_t n, attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? new_tokens(made, m, path, ids, n, err) : status);
}

void attcert_tokens_free(attcert_tokens *tokens) {
  if (tokens == NULL) return;
  token_list_clear(&tokens->list);
  free(tokens->ids);
  free(tokens);
}

size_t attcert_tokens_count(const attcert_tokens *tokens) {
  return (size_t)tokens->list.count;
}

const int *attcert_tokens_ids(const attcert_tokens *tokens) {
  return tokens->ids;
}

const char *attcert_tokens_text(const attcert_tokens *tokens, size_t i) {
  return i < (size_t)tokens->list.count ? tokens->list.token[i].text : NULL;
}

bool attcert_tokens_special(const attcert_tokens *tokens) {
  return tokens->list.special;
}

attcert_status tokens_handle_copy(token_list *list, const attcert_tokens *tokens, size_t rows, attcert_error *err) {
  token_list_clear(list);
  if (tokens == NULL) return ATTCERT_OK;
  if ((size_t)tokens->list.count != rows)
    return attcert_fail(err, ATTCERT_INPUT, "tokens: %d of them, expected one for each of the input's %zu rows",
                        tokens->list.count, rows);
  const attcert_status status = token_list_copy(list, &tokens->list, err);
  if (status != ATTCERT_OK) token_list_clear(list);
  return status;
}
