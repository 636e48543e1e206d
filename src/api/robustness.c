/* A network's answer on a ball as a handle: the question, and what was found. */
#include "api/inputs_handle.h"
#include "api/network_handle.h"
#include "api/report_print.h"
#include "base/arrays.h"
#include "base/clock.h"
#include "base/environment.h"
#include "report/robust/robust_report.h"
#include "robust/signs.h"
#include "run/run_words.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct attcert_robustness {
  network_handle of;
  int label, answered;  /* that is asked about, that was: -1: none */
  robust_ball ball;     /* as it was answered about */
  ball_kind_id kind;    /* as the caller names it */
  const char *norm;     /* likewise; NULL: that of the kind */
  inputs_handle inputs; /* beside these */
  robust_question question;
  step_format format; /* of the ball, where it has one */
  bool *moves;        /* the tokens that do; NULL: all */
  int ulp;
  const float_format *execution; /* NULL: exact */
  robust_verdict verdict;
  bool decided;
  char *json, *text;
};

void attcert_robustness_free(attcert_robustness *r) {
  if (r == NULL) return;
  robust_verdict_clear(&r->verdict);
  inputs_handle_clear(&r->inputs, r->of.x.rows);
  network_handle_clear(&r->of);
  free(r->moves);
  free(r->json);
  free(r->text);
  free(r);
}

/* ---- the question ------------------------------------------------------------------------------------------------ */

static attcert_status new_question(attcert_robustness **made, const attcert_model *m, const network_handle_input *input,
                                   const network_handle_head *asked, attcert_error *err) {
  if (made == NULL) return attcert_fail(err, ATTCERT_INPUT, "robustness: NULL, expected where to put it");
  attcert_robustness *const r = array_new(1, sizeof *r, err, "a question about a network");
  if (r == NULL) return ATTCERT_RESOURCE;
  r->ulp = ROBUST_ULP;
  r->question = (robust_question){.relative = ROBUST_RELATIVE, .attack = ROBUST_ATTACK};
  r->ball = (robust_ball){.input = &r->of.x};
  r->label = -1;
  attcert_status status = network_handle_open(&r->of, m, input, asked, err);
  if (status == ATTCERT_OK) status = inputs_handle_init(&r->inputs, r->of.x.rows, err);
  if (status == ATTCERT_OK)
    *made = r;
  else
    attcert_robustness_free(r);
  return status;
}

static attcert_status set_whole(int *to, const char *name, double value, int least, int most, attcert_error *err) {
  if (!(value >= least && value <= most && value == floor(value)))
    return attcert_fail(err, ATTCERT_INPUT, "%s: expected an integer from %d to %d, got %g", name, least, most, value);
  *to = (int)value;
  return ATTCERT_OK;
}

static attcert_status set_real(double *to, const char *name, double value, bool zero, attcert_error *err) {
  if (!(value >= 0.0 && value < INFINITY && (zero || value > 0.0)))
    return attcert_fail(err, ATTCERT_INPUT, "%s: expected a %s number, got %g", name,
                        zero ? "finite nonnegative" : "finite positive", value);
  *to = value;
  return ATTCERT_OK;
}

static attcert_status set_number(attcert_robustness *r, const char *name, double value, attcert_error *err) {
  if (r == NULL || name == NULL) return attcert_fail(err, ATTCERT_INPUT, "question or name: NULL, expected both");
  if (strcmp(name, "radius") == 0) return set_real(&r->question.radius, name, value, true, err);
  if (strcmp(name, "relative") == 0) return set_real(&r->question.relative, name, value, false, err);
  if (strcmp(name, "attack") == 0) return set_whole(&r->question.attack, name, value, 0, ROBUST_MOST_ATTACK, err);
  if (strcmp(name, "ulp") == 0) return set_whole(&r->ulp, name, value, 0, ROBUST_MOST_ULP, err);
  if (strcmp(name, "label") == 0) return set_whole(&r->label, name, value, -1, r->of.head.labels - 1, err);
  if (strcmp(name, "enumerate") == 0)
    return set_whole(&r->inputs.enumerate, name, value, 0, ROBUST_MOST_ENUMERATE, err);
  return attcert_fail(err, ATTCERT_INPUT, "'%s' is none, expected radius, relative, label, attack, ulp or enumerate",
                      name);
}

static attcert_status set_execution(attcert_robustness *r, const char *value, attcert_error *err) {
  const float_format *const format = float_format_named(value);
  if (format == NULL && (value == NULL || strcmp(value, "exact") != 0))
    return attcert_fail(err, ATTCERT_INPUT,
                        "execution: expected exact, float64, float32, float16 or bfloat16, got '%s'",
                        value != NULL ? value : "NULL");
  r->execution = format;
  return ATTCERT_OK;
}

static attcert_status set_norm(attcert_robustness *r, const char *value, attcert_error *err) {
  for (const char *const *norm = ball_norm_names; *norm != NULL && value != NULL; norm++) {
    if (strcmp(*norm, value) != 0) continue;
    r->norm = *norm;
    return ATTCERT_OK;
  }
  return attcert_fail(err, ATTCERT_INPUT, "norm: expected " BALL_NORM_LIST ", got '%s'",
                      value != NULL ? value : "NULL");
}

attcert_status attcert_robustness_set_text(attcert_robustness *r, const char *name, const char *value,
                                           attcert_error *err) {
  bool *moves = NULL;
  if (r == NULL || name == NULL) return attcert_fail(err, ATTCERT_INPUT, "question or name: NULL, expected both");
  if (strcmp(name, "execution") == 0) return set_execution(r, value, err);
  if (strcmp(name, "ball") == 0) return ball_kind_read(&r->kind, value, err);
  if (strcmp(name, "norm") == 0) return set_norm(r, value, err);
  if (strcmp(name, "label") == 0) return model_head_label(&r->label, &r->of.head, value != NULL ? value : "", err);
  if (strcmp(name, "words") != 0)
    return attcert_fail(err, ATTCERT_INPUT, "'%s' is none, expected ball, norm, words, label or execution", name);
  const attcert_status status =
      run_words_read(&moves, value != NULL ? value : "", r->of.x.rows, &r->of.subject.input_tokens, err);
  if (status != ATTCERT_OK) {
    free(moves);
    return status;
  }
  free(r->moves);
  r->moves = moves;
  return ATTCERT_OK;
}

attcert_status attcert_robustness_set_tokens(attcert_robustness *r, const attcert_tokens *tokens, attcert_error *err) {
  if (r == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  return network_handle_set_tokens(&r->of, tokens, err);
}

attcert_status attcert_robustness_set_pairs(attcert_robustness *r, const bool *mask, size_t masks, const double *bias,
                                            size_t biases, attcert_error *err) {
  if (r == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  return network_handle_set_pairs(&r->of, mask, masks, bias, biases, err);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static attcert_status tell(attcert_robustness *r, double seconds, attcert_error *err) {
  const robust_facts told = {.subject = &r->of.subject,
                             .head = &r->of.head,
                             .label = r->label,
                             .network = &r->of.network,
                             .ball = &r->ball,
                             .choices = r->inputs.choices.tokens > 0 ? &r->inputs.choices : NULL,
                             .verdict = &r->verdict,
                             .radius = r->question.radius,
                             .seconds = seconds};
  const attcert_status status = report_print(&r->json, robust_report_write, true, &told, err);
  return status == ATTCERT_OK ? report_print(&r->text, robust_report_write, false, &told, err) : status;
}

/* The ball, its label, and what else the caller has said of the inputs. */
static attcert_status settle_ball(attcert_robustness *r, attcert_error *err) {
  const robust_ball before = r->ball;
  ball_kind_id kind = r->kind;
  attcert_status status = ball_kind_take_norm(&kind, r->norm, err);
  r->ball = (robust_ball){
      .input = &r->of.x, .region = {.kind = kind, .moves = r->moves}, .format = before.format, .label = before.label};
  if (status == ATTCERT_OK) status = robust_signs_settle(&r->ball.label, &r->of.network, &r->of.x, r->label, err);
  return status == ATTCERT_OK ? inputs_handle_settle(&r->inputs, &r->ball, &r->of.network.steps, err) : status;
}

static attcert_status decide(attcert_robustness *r, const attcert_options *options, attcert_error *err) {
  const double start = clock_seconds();
  if (r == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  const attcert_status asked = network_handle_check(&r->of, err);
  if (asked != ATTCERT_OK) return asked;
  r->decided = false;
  robust_verdict_clear(&r->verdict);
  if (r->execution != NULL) r->format = step_format_of(r->execution, r->ulp);
  r->ball.format = r->execution != NULL ? &r->format : NULL;
  if (options != NULL) {
    r->question.memory = options->memory_limit;
    r->question.progress = options->progress;
    r->question.progress_context = options->progress_context;
  }
  attcert_status status = settle_ball(r, err);
  if (status == ATTCERT_OK && r->inputs.choices.tokens > 0)
    status = robust_choices_decide(&r->verdict, &r->inputs.choices, &r->of.network.steps, &r->ball, &r->question,
                                   r->inputs.enumerate, err);
  else if (status == ATTCERT_OK)
    status = robust_verdict_reach(&r->verdict, &r->of.network.steps, &r->ball, &r->question, err);
  if (status == ATTCERT_OK) status = tell(r, clock_seconds() - start, err);
  if (status != ATTCERT_OK) return status;
  r->decided = true;
  r->answered = r->label;
  return robust_verdict_status(&r->verdict,
                               r->question.radius == 0.0 && r->ball.region.box == NULL && r->ball.region.hull == NULL);
}

double attcert_robustness_number(const attcert_robustness *r, const char *name) {
  const robust_verdict *const v = &r->verdict;
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"label", r->of.network.each_sign ? r->answered : v->center.label},
                 {"rival", robust_signs_label(&r->of.network, v->center.rival)},
                 {"margin_lower", v->center.margin.lo},
                 {"margin_upper", v->center.margin.hi},
                 {"gradient_lower", v->center.norm.lo},
                 {"gradient_upper", v->center.norm.hi},
                 {"certified", v->certified},
                 {"refuted", v->refuted},
                 {"first_order", v->first_order}};
  for (size_t i = 0; r->decided && i < sizeof numbers / sizeof numbers[0]; i++) {
    if (strcmp(name, numbers[i].name) == 0) return numbers[i].value;
  }
  return NAN;
}

const double *attcert_robustness_counterexample(const attcert_robustness *r, size_t *rows, size_t *cols) {
  const attcert_matrix *const m = &r->verdict.counterexample;
  const bool there = r->decided && m->data != NULL;
  if (rows != NULL) *rows = there ? (size_t)m->rows : 0;
  if (cols != NULL) *cols = there ? (size_t)m->cols : 0;
  return there ? m->data : NULL;
}

const char *attcert_robustness_json(const attcert_robustness *r) {
  return r->decided ? r->json : NULL;
}

const char *attcert_robustness_text(const attcert_robustness *r) {
  return r->decided ? r->text : NULL;
}

/* ---- in the default environment ---------------------------------------------------------------------------------- */

attcert_status attcert_robustness_new(attcert_robustness **made, const attcert_model *m, const double *hidden,
                                      size_t rows, size_t cols, attcert_error *err) {
  return attcert_robustness_new_of(made, m, hidden, rows, cols, NULL, HEAD_TOKEN_UNASKED, err);
}

attcert_status attcert_robustness_new_of(attcert_robustness **made, const attcert_model *m, const double *hidden,
                                         size_t rows, size_t cols, const char *architecture, int token,
                                         attcert_error *err) {
  const network_handle_input input = {hidden, rows, cols};
  const network_handle_head asked = {.architecture = architecture, .token = token < 0 ? HEAD_TOKEN_UNASKED : token};
  environment before;
  if (made != NULL) *made = NULL;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? new_question(made, m, &input, &asked, err) : status);
}

attcert_status attcert_robustness_set_number(attcert_robustness *r, const char *name, double value,
                                             attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? set_number(r, name, value, err) : status);
}

attcert_status attcert_robustness_set_mask(attcert_robustness *r, const bool *moves, size_t rows, size_t cols,
                                           attcert_error *err) {
  if (r == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  return inputs_handle_set_mask(&r->inputs, &r->of.x, moves, rows, cols, err);
}

attcert_status attcert_robustness_set_box(attcert_robustness *r, const double *least, const double *most, size_t rows,
                                          size_t cols, attcert_error *err) {
  if (r == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  return inputs_handle_set_box(&r->inputs, &r->of.x, least, most, rows, cols, err);
}

attcert_status attcert_robustness_set_choices(attcert_robustness *r, size_t token, const double *states, size_t count,
                                              size_t cols, attcert_error *err) {
  if (r == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  return inputs_handle_set_choices(&r->inputs, &r->of.x, token, states, count, cols, err);
}

attcert_status attcert_robustness_decide(attcert_robustness *r, const attcert_options *options, attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? decide(r, options, err) : status);
}
