/* From a problem to a result: attcert_enclose, attcert_problem_certify and its relatives. */
#include "api/problem.h"
#include "api/report_print.h"
#include "api/result.h"
#include "base/arrays.h"
#include "base/environment.h"
#include "run/run_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked of one run. */
typedef struct {
  const char *command; /* whose report it is */
  const char *estimate;
  double slack;
  const float_format *dtype; /* NULL: not said */
  attcert_matrix direction;  /* rows = 0: none */
  bool bounds;
  double radius_of_inputs;
  const ball_region *ball; /* NULL: none; the words are still to be read */
  const char *words;
} request;

void attcert_result_free(attcert_result *r) {
  if (r == NULL) return;
  estimate_check_clear(&r->check);
  run_layer_clear(&r->run);
  free(r->json);
  free(r->text);
  free(r);
}

static attcert_status add_ball(attcert_result *r, const request *q, const token_list *tokens, attcert_error *err) {
  bool *moves = NULL;
  attcert_status status = run_words_read(&moves, q->words, r->run.x->rows, tokens, err);
  r->run.region = *q->ball;
  r->run.region.moves = moves;
  if (status == ATTCERT_OK) status = run_layer_add_ball(&r->run, err);
  return status;
}

static attcert_status compute(attcert_result *r, const request *q, const token_list *tokens, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  if (q->bounds && q->radius_of_inputs != 0.0) status = run_layer_check_radius(&r->run, q->radius_of_inputs, err);
  if (status != ATTCERT_OK) return status;
  r->check.dtype = q->dtype;
  if (q->estimate != NULL)
    status = run_layer_check(&r->run, &r->check, &q->direction, q->slack, err);
  else
    status = run_layer_certify_or_pointwise(&r->run, err);
  r->has_check = q->estimate != NULL;
  if (status == ATTCERT_OK && q->bounds) status = run_layer_add_bounds(&r->run, q->radius_of_inputs, err);
  if (status == ATTCERT_OK && q->ball != NULL) status = add_ball(r, q, tokens, err);
  return status;
}

attcert_status result_tell(attcert_result *r, const char *command, const report_subject *subject, attcert_error *err) {
  report_ball ball;
  report told = run_layer_report(&r->run, command, subject, &ball);
  told.check = r->has_check ? &r->check : NULL;
  const attcert_status status = report_print(&r->json, report_write, true, &told, err);
  return status == ATTCERT_OK ? report_print(&r->text, report_write, false, &told, err) : status;
}

attcert_status result_new(attcert_result **made, const attcert_options *options, attcert_error *err) {
  attcert_result *const r = *made = array_new(1, sizeof *r, err, "a result");
  if (r == NULL) return ATTCERT_RESOURCE;
  estimate_check_init(&r->check);
  run_layer_init(&r->run);
  if (options != NULL) r->run.options = *options;
  return ATTCERT_OK;
}

static attcert_status new_result(attcert_result **made, const problem_view *v, const attcert_options *options,
                                 attcert_error *err) {
  const attcert_status status = result_new(made, options, err);
  if (status != ATTCERT_OK) return status;
  (*made)->run.layer = &v->layer;
  if (v->has_steps) (*made)->run.steps = &v->steps;
  (*made)->run.x = &v->x;
  return ATTCERT_OK;
}

/* What the view lent is taken from the result. */
static void close_run(attcert_result *r) {
  free((void *)r->run.region.moves);
  r->run.region.moves = NULL;
  r->check.text = "";
  r->run.layer = NULL;
  r->run.steps = NULL;
  r->run.x = NULL;
}

static attcert_status answer_with(attcert_result **result, const attcert_problem *p, const request *q,
                                  const attcert_options *options, attcert_error *err) {
  problem_view v;
  attcert_result *r = NULL;
  attcert_status status = q->ball != NULL ? problem_view_init(&v, p, err) : problem_view_init_steps(&v, p, err);
  if (status == ATTCERT_OK) status = new_result(&r, &v, options, err);
  if (status == ATTCERT_OK && q->estimate != NULL) status = estimate_check_read(&r->check, q->estimate, err);
  if (status == ATTCERT_OK) status = compute(r, q, &v.subject.input_tokens, err);
  if (status == ATTCERT_OK) status = result_tell(r, q->command, &v.subject, err);
  if (r != NULL) close_run(r);
  problem_view_clear(&v);
  if (status != ATTCERT_OK) {
    attcert_result_free(r);
    return status;
  }
  *result = r;
  status = run_layer_verdict(&r->run, err);
  return status == ATTCERT_OK && r->has_check && !r->check.consistent ? ATTCERT_NEGATIVE : status;
}

static attcert_status answer(attcert_result **result, const attcert_problem *p, const request *q,
                             const attcert_options *options, attcert_error *err) {
  environment before;
  if (result == NULL) return attcert_fail(err, ATTCERT_INPUT, "result: NULL, expected a place for one");
  *result = NULL;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? answer_with(result, p, q, options, err) : status);
}

attcert_status attcert_problem_certify(attcert_result **result, const attcert_problem *p,
                                       const attcert_options *options, attcert_error *err) {
  return answer(result, p, &(request){.command = "certify"}, options, err);
}

attcert_status attcert_problem_bounds(attcert_result **result, const attcert_problem *p, double radius,
                                      const attcert_options *options, attcert_error *err) {
  return answer(result, p, &(request){.command = "bounds", .bounds = true, .radius_of_inputs = radius}, options, err);
}

/* A check, with the direction of q->direction.data where that is not NULL. */
static attcert_status check(attcert_result **result, const attcert_problem *p, request *q, size_t rows, size_t cols,
                            const attcert_options *options, attcert_error *err) {
  q->command = "check";
  if (q->estimate == NULL) return attcert_fail(err, ATTCERT_INPUT, "estimate: NULL, expected a finite number >= 0");
  if (q->direction.data != NULL) {
    if (rows < 1 || cols < 1 || rows > ATTCERT_SIDE_MAX || cols > ATTCERT_SIDE_MAX)
      return attcert_fail(err, ATTCERT_INPUT, "vector: %zu x %zu numbers, expected the input's shape", rows, cols);
    q->direction.rows = (int)rows;
    q->direction.cols = (int)cols;
  }
  return answer(result, p, q, options, err);
}

attcert_status attcert_problem_check(attcert_result **result, const attcert_problem *p, const char *estimate,
                                     double slack, const double *vector, size_t rows, size_t cols,
                                     const attcert_options *options, attcert_error *err) {
  request q = {.estimate = estimate, .slack = slack, .direction.data = (double *)vector};
  if (!(slack >= 0.0)) return attcert_fail(err, ATTCERT_INPUT, "slack: %g, expected a number >= 0", slack);
  return check(result, p, &q, rows, cols, options, err);
}

attcert_status attcert_problem_check_dtype(attcert_result **result, const attcert_problem *p, const char *estimate,
                                           const char *dtype, const double *vector, size_t rows, size_t cols,
                                           const attcert_options *options, attcert_error *err) {
  request q = {.estimate = estimate, .dtype = float_format_named(dtype), .direction.data = (double *)vector};
  if (q.dtype == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "dtype: expected float64, float32, float16 or bfloat16, got '%s'",
                        dtype != NULL ? dtype : "NULL");
  return check(result, p, &q, rows, cols, options, err);
}

attcert_status attcert_problem_ball(attcert_result **result, const attcert_problem *p, double radius, const char *ball,
                                    const char *words, const attcert_options *options, attcert_error *err) {
  ball_region region = {.radius = radius};
  const attcert_status status = ball_kind_read(&region.kind, ball, err);
  if (status != ATTCERT_OK) return status;
  if (words == NULL) words = "all";
  return answer(result, p, &(request){.command = "certify", .ball = &region, .words = words}, options, err);
}

/* Without the reports: a client of doubles alone. */
static attcert_status enclose(double *lower, double *upper, const attcert_problem *p, const attcert_options *options,
                              attcert_error *err) {
  problem_view v;
  attcert_result *r = NULL;
  attcert_status status = problem_view_init_steps(&v, p, err);
  if (status == ATTCERT_OK) status = new_result(&r, &v, options, err);
  if (status == ATTCERT_OK) status = run_layer_certify_or_pointwise(&r->run, err);
  if (status == ATTCERT_OK) {
    *lower = attcert_result_lower(r);
    *upper = attcert_result_upper(r);
    status = run_layer_verdict(&r->run, err);
  }
  attcert_result_free(r);
  problem_view_clear(&v);
  return status;
}

attcert_status attcert_enclose(double *lower, double *upper, const attcert_problem *p, const attcert_options *options,
                               attcert_error *err) {
  environment before;
  if (lower == NULL || upper == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "ends: NULL, expected two numbers to write to");
  *lower = 0.0;
  *upper = INFINITY;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? enclose(lower, upper, p, options, err) : status);
}
