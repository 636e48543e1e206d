#include "vnnlib/vnnlib_answer.h"

#include "base/arrays.h"
#include "linalg/rounding/upward.h"
#include "network/affine/step_affine.h"
#include "onnx/onnx_network.h"
#include "robust/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  const vnnlib_question *question;
  const vnnlib_options *options;
  vnnlib_answer *answer;
  attcert_error *err;
  double *center, *half; /* [inputs]: a box that holds the question's */
} run;

/* ---- networks whose outputs are conditions ----------------------------------------------------------------------- */

/* As onnx_network_open, and has as many outputs as the question. */
static attcert_status open_network(onnx_network *network, const run *r, const onnx_box *box) {
  const attcert_status status = onnx_network_open(network, r->path, box, NULL, r->err);
  if (status != ATTCERT_OK || network_cols(&network->steps, network->steps.count) == r->question->outputs)
    return status;
  return attcert_fail(r->err, ATTCERT_INPUT, "the network's output %s, expected %d numbers, as the question has",
                      network->output, r->question->outputs);
}

/* c_k(y) = Y_plus - Y_minus - bound of so many conditions behind a row of zeros: a condition holds where its row is not
 * negative. up: of its bound the upper double, so that a row is at most what is meant; else the lower one. */
static attcert_status add_conditions(onnx_network *network, const vnnlib_question *q, const int *which, int count,
                                     bool up, attcert_error *err) {
  const int value = network->steps.count, outputs = q->outputs;
  network_builder b = {.network = &network->steps, .err = err, .layer = -1};
  double *const weight = network_new(&b, ((size_t)count + 1) * (size_t)outputs, sizeof *weight);
  double *const bias = network_new(&b, (size_t)count + 1, sizeof *bias);
  for (int k = 0; k < count && b.status == ATTCERT_OK; k++) {
    const vnnlib_condition *const c = &q->condition[which != NULL ? which[k] : k];
    double *const row = weight + ((size_t)k + 1) * (size_t)outputs;
    if (c->plus >= 0) row[c->plus] += 1.0;
    if (c->minus >= 0) row[c->minus] -= 1.0;
    bias[k + 1] = up ? -c->up : -c->down;
  }
  step_affine_add(&b, value, network_copy(&b, &(affine_weights){weight, bias}, sizeof(affine_weights)), count + 1);
  return b.status;
}

/* ---- sat --------------------------------------------------------------------------------------------------------- */

static bool some_case_holds(const range *row, const vnnlib_question *q) {
  for (int k = 0; k < q->cases; k++) {
    bool all = true;
    for (int c = q->first[k]; c < q->first[k + 1]; c++) all = all && row[c + 1].lo >= 0.0;
    if (all) return true;
  }
  return false;
}

/* The outputs at x, in double: what the first `count` steps make of it. */
static attcert_status outputs_at(double *output, const network_steps *steps, int count, const attcert_matrix *x,
                                 attcert_error *err) {
  attcert_matrix *const value = array_new((size_t)count + 1, sizeof *value, err, "the values of a network");
  if (value == NULL) return ATTCERT_RESOURCE;
  attcert_status status = ATTCERT_OK;
  value[0] = *x;
  for (int s = 0; s < count && status == ATTCERT_OK; s++) status = network_value(value, steps, s, err);
  if (status == ATTCERT_OK) memcpy(output, value[count].data, network_entries(steps, count) * sizeof *output);
  for (int s = 1; s <= count; s++) attcert_matrix_clear(&value[s]);
  free(value);
  return status;
}

/* x is the answer, if what it says of x is proved. */
static attcert_status try_input(run *r, const attcert_matrix *x) {
  const vnnlib_question *const q = r->question;
  onnx_network network;
  range *row = NULL;
  attcert_status status = open_network(&network, r, NULL);
  if (status == ATTCERT_OK) status = add_conditions(&network, q, NULL, q->conditions, true, r->err);
  if (status == ATTCERT_OK) {
    row = array_new((size_t)q->conditions + 1, sizeof *row, r->err, "conditions");
    status = row != NULL ? robust_gradient_scores(row, &network.steps, x, r->err) : ATTCERT_RESOURCE;
  }
  if (status == ATTCERT_OK && some_case_holds(row, q)) {
    vnnlib_answer *const a = r->answer;
    const array_table table = {{ARRAY(a->input, (size_t)q->inputs), ARRAY(a->output, (size_t)q->outputs)}};
    status = array_table_allocate(&table, r->err, "an answer");
    if (status == ATTCERT_OK) memcpy(a->input, x->data, (size_t)q->inputs * sizeof *a->input);
    if (status == ATTCERT_OK) status = outputs_at(a->output, &network.steps, network.steps.count - 1, x, r->err);
    if (status == ATTCERT_OK) a->verdict = VNNLIB_SAT;
  }
  free(row);
  onnx_network_clear(&network);
  return status;
}

/* The input near center + half t that lies in the question's box, by doubles within its decimals; where there is none,
 * nothing is tried. */
static attcert_status try_point(run *r, const double *t) {
  const vnnlib_question *const q = r->question;
  attcert_matrix x;
  attcert_status status = attcert_matrix_init(&x, 1, q->inputs, r->err);
  if (status != ATTCERT_OK) return status;
  bool inside = true;
  for (int k = 0; k < q->inputs; k++) {
    const double at = r->center[k] + r->half[k] * t[k];
    x.data[k] = fmin(fmax(at, q->least[k].up), q->most[k].down);
    inside = inside && x.data[k] >= q->least[k].up;
  }
  if (inside) status = try_input(r, &x);
  attcert_matrix_clear(&x);
  return status;
}

/* ---- unsat ------------------------------------------------------------------------------------------------------- */

/* A double box around the question's: half is at least the distances to both bounds. */
static void take_box(run *r) {
  const vnnlib_question *const q = r->question;
  for (int k = 0; k < q->inputs; k++) {
    const double lo = q->least[k].down, hi = q->most[k].up, middle = 0.5 * lo + 0.5 * hi;
    r->center[k] = middle;
    r->half[k] = fmax(upward_add(hi, -middle), upward_add(middle, -lo));
  }
}

/* Of each case the condition that is farthest from holding at the center: that it holds nowhere is enough. */
static void choose_conditions(int *which, const run *r, const double *output) {
  const vnnlib_question *const q = r->question;
  for (int k = 0; k < q->cases; k++) {
    double least = INFINITY;
    for (int c = q->first[k]; c < q->first[k + 1]; c++) {
      const vnnlib_condition *const of = &q->condition[c];
      const double holds =
          (of->plus >= 0 ? output[of->plus] : 0.0) - (of->minus >= 0 ? output[of->minus] : 0.0) - of->down;
      if (holds < least || c == q->first[k]) {
        least = holds;
        which[k] = c;
      }
    }
  }
}

static attcert_status open_over_box(onnx_network *network, int *which, run *r, const attcert_matrix *zero) {
  const vnnlib_question *const q = r->question;
  const onnx_box box = {r->center, r->half, q->inputs};
  double *const output = array_new((size_t)q->outputs, sizeof *output, r->err, "outputs");
  if (output == NULL) return ATTCERT_RESOURCE;
  attcert_status status = open_network(network, r, &box);
  if (status == ATTCERT_OK) status = outputs_at(output, &network->steps, network->steps.count, zero, r->err);
  if (status == ATTCERT_OK) choose_conditions(which, r, output);
  if (status == ATTCERT_OK) status = add_conditions(network, q, which, q->cases, false, r->err);
  free(output);
  return status;
}

/* Row 0 is zero: its margin over the others is positive where none of the conditions chosen holds. */
static attcert_status decide(run *r, const onnx_network *network, const attcert_matrix *zero) {
  const robust_ball ball = {.input = zero, .region = {.kind = BALL_ENTRY}, .label = 0};
  const robust_question question = {.radius = 1.0,
                                    .attack = r->options->attack,
                                    .memory = r->options->memory,
                                    .progress = r->options->progress,
                                    .progress_context = r->options->progress_context};
  robust_verdict verdict = {0};
  attcert_status status = robust_verdict_reach(&verdict, &network->steps, &ball, &question, r->err);
  if (status == ATTCERT_OK) r->answer->margin = verdict.bound.margin.lo;
  if (status == ATTCERT_OK && verdict.certified == 1.0)
    r->answer->verdict = VNNLIB_UNSAT;
  else if (status == ATTCERT_OK && verdict.counterexample.data != NULL)
    status = try_point(r, verdict.counterexample.data);
  robust_verdict_clear(&verdict);
  return status;
}

static attcert_status answer_question(run *r) {
  onnx_network network = {0};
  attcert_matrix zero = {0};
  int *const which = array_new((size_t)r->question->cases, sizeof *which, r->err, "cases");
  attcert_status status = which != NULL ? attcert_matrix_init(&zero, 1, r->question->inputs, r->err) : ATTCERT_RESOURCE;
  take_box(r);
  if (status == ATTCERT_OK) status = open_over_box(&network, which, r, &zero);
  if (status == ATTCERT_OK) status = try_point(r, zero.data);
  if (status == ATTCERT_OK && r->answer->verdict == VNNLIB_UNKNOWN) status = decide(r, &network, &zero);
  onnx_network_clear(&network);
  attcert_matrix_clear(&zero);
  free(which);
  return status;
}

attcert_status vnnlib_answer_find(vnnlib_answer *answer, const char *network, const vnnlib_question *question,
                                  const vnnlib_options *options, attcert_error *err) {
  *answer = (vnnlib_answer){.margin = -INFINITY};
  run r = {.path = network, .question = question, .options = options, .answer = answer, .err = err};
  const size_t inputs = (size_t)question->inputs;
  const array_table table = {{ARRAY(r.center, inputs), ARRAY(r.half, inputs)}};
  attcert_status status = array_table_allocate(&table, err, "a box of %zu inputs", inputs);
  if (status == ATTCERT_OK) status = answer_question(&r);
  array_table_release(&table);
  return status;
}

void vnnlib_answer_clear(vnnlib_answer *answer) {
  free(answer->input);
  free(answer->output);
  *answer = (vnnlib_answer){0};
}
