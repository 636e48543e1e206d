/* A problem's layer and input from models and files. */
#include "api/model_handle.h"
#include "api/problem.h"
#include "base/arrays.h"
#include "base/environment.h"
#include "model/format/npy.h"
#include "model/weights.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static attcert_status copy_text(char **copy, const char *text, attcert_error *err) {
  free(*copy);
  *copy = strdup(text);
  return *copy != NULL ? ATTCERT_OK : array_out_of_memory(err, strlen(text) + 1, "the name of %s", text);
}

/* The problem's arrays but the input, and what was loaded before, go. */
static void forget_layer(attcert_problem *p) {
  for (int i = PROBLEM_INPUT + 1; i < PROBLEM_ARRAYS; i++) p->array[i] = (problem_numbers){0};
  attcert_layer_clear(&p->loaded);
  subject_clear(&p->layer_subject);
  p->layer_subject = (report_subject){0};
  free(p->layer_name);
  p->layer_name = NULL;
}

/* The arrays become those of the loaded layer. */
static void take_layer(attcert_problem *p) {
  attcert_layer *const l = &p->loaded;
  for (problem_array i = PROBLEM_QUERY_WEIGHT; i < PROBLEM_ARRAYS; i++) {
    if (*problem_member(l, i) == NULL) continue;
    p->array[i] = problem_shape(i, l);
    p->array[i].data = *problem_member(l, i);
  }
  p->heads = (size_t)l->heads;
  p->mask = l->mask;
}

static attcert_status load_layer(attcert_problem *p, const attcert_model *m, size_t layer, attcert_error *err) {
  if (p == NULL || m == NULL) return attcert_fail(err, ATTCERT_INPUT, "problem or model: NULL, expected handles");
  forget_layer(p);
  attcert_status status = model_handle_describe(&p->layer_subject, m, err);
  p->layer_subject.model_layer = layer > INT_MAX ? INT_MAX : (int)layer;
  if (status == ATTCERT_OK) status = copy_text(&p->layer_name, m->spec, err);
  if (status == ATTCERT_OK) status = model_layer(&p->loaded, m->model, p->layer_subject.model_layer, err);
  if (status == ATTCERT_OK) status = model_check_files(m->model, err);
  if (status == ATTCERT_OK)
    take_layer(p);
  else
    forget_layer(p);
  return status;
}

static attcert_status load_weights(attcert_problem *p, const char *path, size_t num_heads, attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  if (p == NULL || path == NULL) return attcert_fail(err, ATTCERT_INPUT, "problem or path: NULL, expected both");
  if (num_heads > ATTCERT_SIDE_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "heads: %zu, expected at most %d", num_heads, ATTCERT_SIDE_MAX);
  forget_layer(p);
  attcert_status status = weights_read(&p->loaded, sha256, path, (int)num_heads, err);
  if (status == ATTCERT_OK) status = copy_text(&p->layer_name, path, err);
  if (status == ATTCERT_OK) status = subject_add_file(&p->layer_subject, "weights", path, sha256, err);
  if (status == ATTCERT_OK)
    take_layer(p);
  else
    forget_layer(p);
  return status;
}

static attcert_status load_input(attcert_problem *p, const char *path, attcert_error *err) {
  if (p == NULL || path == NULL) return attcert_fail(err, ATTCERT_INPUT, "problem or path: NULL, expected both");
  attcert_matrix x = {0};
  char sha256[SHA256_HEX_SIZE];
  attcert_status status = npy_read(&x, sha256, path, err);
  if (status == ATTCERT_OK) status = copy_text(&p->input_name, path, err);
  if (status != ATTCERT_OK) {
    attcert_matrix_clear(&x);
    return status;
  }
  attcert_matrix_clear(&p->loaded_input);
  token_list_clear(&p->tokens);
  p->loaded_input = x;
  memcpy(p->input_sha256, sha256, sizeof p->input_sha256);
  p->array[PROBLEM_INPUT] = (problem_numbers){x.data, (size_t)x.rows, (size_t)x.cols};
  return ATTCERT_OK;
}

/* ---- in the default environment ---------------------------------------------------------------------------------- */

attcert_status attcert_problem_load_layer(attcert_problem *p, const attcert_model *m, size_t layer,
                                          attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? load_layer(p, m, layer, err) : status);
}

attcert_status attcert_problem_load_weights(attcert_problem *p, const char *path, size_t num_heads,
                                            attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? load_weights(p, path, num_heads, err) : status);
}

attcert_status attcert_problem_load_input(attcert_problem *p, const char *path, attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? load_input(p, path, err) : status);
}
