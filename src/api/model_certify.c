/* Functions of a model's layers, which go step by step, their inputs and values. */
#include "api/model_handle.h"
#include "api/problem.h"
#include "api/result.h"
#include "base/environment.h"
#include "robust/network.h"
#include "run/run_model.h"

#include <limits.h>
#include <string.h>

/* What a caller names: a function of a layer, on n tokens. */
typedef struct {
  const attcert_model *model;
  model_function function;
  int layer, n;
} function_place;

static attcert_status find_place(function_place *at, const attcert_model *m, const char *function, size_t layer,
                                 size_t n, attcert_error *err) {
  int i = 0;
  if (m == NULL) return attcert_fail(err, ATTCERT_INPUT, "model: NULL, expected a handle");
  while (i < MODEL_FUNCTIONS && (function == NULL || strcmp(function, model_function_names[i]) != 0)) i++;
  if (i == MODEL_FUNCTIONS)
    return attcert_fail(err, ATTCERT_INPUT,
                        "function: expected attention, sublayer, block, network or logits, got '%s'",
                        function != NULL ? function : "NULL");
  if (n < 1 || n > ATTCERT_SIDE_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "number of tokens is %zu, expected 1 to %d", n, ATTCERT_SIDE_MAX);
  *at = (function_place){m, (model_function)i, layer > INT_MAX ? INT_MAX : (int)layer, (int)n};
  return ATTCERT_OK;
}

static attcert_matrix states_of(const function_place *at, const double *x) {
  return (attcert_matrix){at->n, model_get_shape(at->model->model).dim, (double *)x};
}

/* ---- the input --------------------------------------------------------------------------------------------------- */

static attcert_status function_input(double *x, const attcert_model *m, const char *function, size_t layer,
                                     const double *hidden, size_t n, attcert_error *err) {
  function_place at;
  attcert_matrix input = {0};
  attcert_status status = find_place(&at, m, function, layer, n, err);
  if (status != ATTCERT_OK) return status;
  const attcert_matrix states = states_of(&at, hidden);
  status = model_handle_check_states(hidden, n, (size_t)states.cols, err);
  if (status == ATTCERT_OK) status = model_function_input_from(&input, m->model, at.function, at.layer, &states, err);
  if (status == ATTCERT_OK) memcpy(x, input.data, n * (size_t)states.cols * sizeof(double));
  attcert_matrix_clear(&input);
  return status;
}

/* ---- the value --------------------------------------------------------------------------------------------------- */

static attcert_status function_value(double *y, const attcert_model *m, const char *function, size_t layer,
                                     const double *x, size_t n, attcert_error *err) {
  function_place at;
  attcert_matrix value = {0};
  attcert_status status = find_place(&at, m, function, layer, n, err);
  if (status != ATTCERT_OK) return status;
  const attcert_matrix input = states_of(&at, x);
  status = model_handle_check_states(x, n, (size_t)input.cols, err);
  if (status == ATTCERT_OK) status = model_hidden_states_from(&value, m->model, &input, err);
  if (status == ATTCERT_OK) status = model_function_value(&value, m->model, at.function, at.layer, err);
  if (status == ATTCERT_OK) memcpy(y, value.data, n * (size_t)input.cols * sizeof(double));
  attcert_matrix_clear(&value);
  return status;
}

/* ---- the certificate --------------------------------------------------------------------------------------------- */

/* The standard head's attention, as a problem has it. */
static attcert_status certify_layer(attcert_result **result, const function_place *at, const attcert_matrix *x,
                                    const attcert_options *options, attcert_error *err) {
  attcert_problem *const p = attcert_problem_new();
  if (p == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a problem");
  attcert_status status = attcert_problem_load_layer(p, at->model, (size_t)at->layer, err);
  if (status == ATTCERT_OK)
    status = attcert_problem_set_array(p, "input", x->data, (size_t)x->rows, (size_t)x->cols, err);
  if (status == ATTCERT_OK) status = attcert_problem_certify(result, p, options, err);
  attcert_problem_free(p);
  return status;
}

static attcert_status answer_with(attcert_result **result, const function_place *at, const network_steps *steps,
                                  const model_head *head, const attcert_matrix *x, const attcert_options *options,
                                  attcert_error *err) {
  attcert_result *r = NULL;
  report_subject subject = {.model_layer = at->layer, .head = REPORT_WHOLE_LAYER, .tokens = at->n};
  attcert_status status = model_handle_describe(&subject, at->model, err);
  run_model_describe(&subject, at->model->model, at->function);
  run_model_describe_head(&subject, head, HEAD_TOKEN_UNASKED);
  if (status == ATTCERT_OK) status = result_new(&r, options, err);
  if (status == ATTCERT_OK) {
    r->run.steps = steps;
    r->run.x = x;
    status = run_layer_certify(&r->run, err);
  }
  if (status == ATTCERT_OK) status = result_tell(r, "certify", &subject, err);
  if (r != NULL) r->run.steps = NULL;
  if (r != NULL) r->run.x = NULL;
  subject_clear(&subject);
  if (status != ATTCERT_OK) {
    attcert_result_free(r);
    return status;
  }
  *result = r;
  return run_layer_verdict(&r->run, err);
}

static attcert_status certify_steps(attcert_result **result, const function_place *at, const attcert_matrix *x,
                                    const attcert_options *options, attcert_error *err) {
  const robust_function of = {
      .function = at->function, .layer = at->layer, .tokens = at->n, .token = HEAD_TOKEN_UNASKED};
  network_steps steps = {0};
  model_head head = {.kind = HEAD_NONE};
  attcert_status status = model_check_files(at->model->model, err);
  if (status == ATTCERT_OK) status = robust_function_open(&steps, &head, at->model->model, &of, err);
  if (status == ATTCERT_OK) status = answer_with(result, at, &steps, &head, x, options, err);
  network_clear(&steps);
  model_head_clear(&head);
  return status;
}

static attcert_status certify(attcert_result **result, const attcert_model *m, const char *function, size_t layer,
                              const double *x, size_t n, const attcert_options *options, attcert_error *err) {
  function_place at;
  const attcert_status status = find_place(&at, m, function, layer, n, err);
  if (status != ATTCERT_OK) return status;
  if (x == NULL) return attcert_fail(err, ATTCERT_INPUT, "no input is set: expected n x d numbers");
  const attcert_matrix input = states_of(&at, x);
  if (at.function == MODEL_ATTENTION && model_has_plain_heads(m->model, at.layer))
    return certify_layer(result, &at, &input, options, err);
  const attcert_status finite = model_handle_check_states(x, n, (size_t)input.cols, err);
  return finite == ATTCERT_OK ? certify_steps(result, &at, &input, options, err) : finite;
}

/* ---- in the default environment ---------------------------------------------------------------------------------- */

attcert_status attcert_model_function_input(double *x, const attcert_model *m, const char *function, size_t layer,
                                            const double *hidden, size_t n, attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before,
                           status == ATTCERT_OK ? function_input(x, m, function, layer, hidden, n, err) : status);
}

attcert_status attcert_model_function_value(double *y, const attcert_model *m, const char *function, size_t layer,
                                            const double *x, size_t n, attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? function_value(y, m, function, layer, x, n, err) : status);
}

attcert_status attcert_model_layer_input(double *x, const attcert_model *m, size_t layer, const double *hidden,
                                         size_t n, attcert_error *err) {
  return attcert_model_function_input(x, m, model_function_names[MODEL_ATTENTION], layer, hidden, n, err);
}

attcert_status attcert_model_certify(attcert_result **result, const attcert_model *m, const char *function,
                                     size_t layer, const double *x, size_t n, const attcert_options *options,
                                     attcert_error *err) {
  environment before;
  if (result == NULL) return attcert_fail(err, ATTCERT_INPUT, "result: NULL, expected a place for one");
  *result = NULL;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before,
                           status == ATTCERT_OK ? certify(result, m, function, layer, x, n, options, err) : status);
}
