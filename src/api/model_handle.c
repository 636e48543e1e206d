#include "api/model_handle.h"

#include "base/arrays.h"
#include "base/environment.h"
#include "model/family/families.h"
#include "model/format/number_format.h"
#include "run/run_model.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static attcert_status open_model(attcert_model **opened, const char *spec, uint64_t seed, attcert_error *err) {
  if (opened == NULL || spec == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "model: NULL, expected a folder or " RANDOM_MODELS(", "));
  *opened = NULL;
  attcert_model *const m = array_new(1, sizeof *m, err, "a model's handle");
  if (m == NULL) return ATTCERT_RESOURCE;
  m->seed = seed;
  m->spec = strdup(spec);
  attcert_status status = m->spec != NULL ? ATTCERT_OK : array_out_of_memory(err, strlen(spec) + 1, "a model's name");
  if (status == ATTCERT_OK) status = model_open(&m->model, spec, seed, err);
  if (status == ATTCERT_OK)
    *opened = m;
  else
    attcert_model_close(m);
  return status;
}

void attcert_model_close(attcert_model *m) {
  if (m == NULL) return;
  model_close(m->model);
  free(m->spec);
  free(m);
}

int attcert_model_size(const attcert_model *m, const char *name) {
  const model_shape s = model_get_shape(m->model);
  const struct {
    const char *name;
    int size;
  } sizes[] = {{"dim", s.dim},
               {"heads", s.heads},
               {"layers", s.layers},
               {"vocabulary", s.vocabulary},
               {"positions", s.positions}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    if (strcmp(name, sizes[i].name) == 0) return sizes[i].size;
  }
  return -1;
}

static attcert_status check_tokens(size_t n, attcert_error *err) {
  if (n >= 1 && n <= ATTCERT_SIDE_MAX) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "number of tokens is %zu, expected 1 to %d", n, ATTCERT_SIDE_MAX);
}

static attcert_status read_text(int *tokens, size_t n, const attcert_model *m, const char *path, const char *text_path,
                                size_t offset, attcert_error *err) {
  attcert_tokens *read = NULL;
  attcert_status status = check_tokens(n, err);
  if (status == ATTCERT_OK) status = attcert_tokens_read(&read, m, path, text_path, n, offset, false, err);
  if (status == ATTCERT_OK) memcpy(tokens, attcert_tokens_ids(read), n * sizeof *tokens);
  attcert_tokens_free(read);
  return status;
}

/* Copies the matrix, which is cleared, to x. */
static attcert_status hand_over(double *x, attcert_matrix *m, attcert_status status) {
  if (status == ATTCERT_OK) memcpy(x, m->data, (size_t)m->rows * (size_t)m->cols * sizeof(double));
  attcert_matrix_clear(m);
  return status;
}

static attcert_status hidden_states(double *x, const attcert_model *m, const int *tokens, size_t n,
                                    attcert_error *err) {
  attcert_matrix states = {0};
  attcert_status status = check_tokens(n, err);
  if (status == ATTCERT_OK) status = model_hidden_states(&states, m->model, tokens, (int)n, err);
  return hand_over(x, &states, status);
}

attcert_status model_handle_check_states(const double *states, size_t rows, size_t cols, attcert_error *err) {
  const size_t at = number_first_not_finite(states, rows * cols);
  if (at == rows * cols) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "hidden states: entry [%zu, %zu] is %g, expected a finite number", at / cols,
                      at % cols, states[at]);
}

attcert_status model_handle_describe(report_subject *subject, const attcert_model *m, attcert_error *err) {
  subject->name = m->spec;
  subject->from_model = true;
  subject->seed = m->seed;
  return run_model_files(subject, m->model, err);
}

/* ---- in the default environment ---------------------------------------------------------------------------------- */

attcert_status attcert_model_open(attcert_model **opened, const char *spec, uint64_t seed, attcert_error *err) {
  environment before;
  if (opened != NULL) *opened = NULL;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? open_model(opened, spec, seed, err) : status);
}

attcert_status attcert_model_read_text(int *tokens, size_t n, const attcert_model *m, const char *path,
                                       const char *text_path, size_t offset, attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before,
                           status == ATTCERT_OK ? read_text(tokens, n, m, path, text_path, offset, err) : status);
}

attcert_status attcert_model_hidden_states(double *x, const attcert_model *m, const int *tokens, size_t n,
                                           attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? hidden_states(x, m, tokens, n, err) : status);
}
