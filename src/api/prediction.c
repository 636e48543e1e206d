/* A network's answer at an input as a handle: the question, and what was found. */
#include "api/network_handle.h"
#include "api/report_print.h"
#include "base/arrays.h"
#include "base/clock.h"
#include "base/environment.h"
#include "report/robust/prediction_report.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct attcert_prediction {
  network_handle of;
  robust_prediction answer;
  bool decided;
  char *json, *text;
};

void attcert_prediction_free(attcert_prediction *p) {
  if (p == NULL) return;
  network_handle_clear(&p->of);
  robust_prediction_clear(&p->answer);
  free(p->json);
  free(p->text);
  free(p);
}

static attcert_status new_question(attcert_prediction **made, const attcert_model *m, const network_handle_input *input,
                                   const network_handle_head *asked, attcert_error *err) {
  if (made == NULL) return attcert_fail(err, ATTCERT_INPUT, "prediction: NULL, expected where to put it");
  attcert_prediction *const p = array_new(1, sizeof *p, err, "a question about a network");
  if (p == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = network_handle_open(&p->of, m, input, asked, err);
  if (status == ATTCERT_OK)
    *made = p;
  else
    attcert_prediction_free(p);
  return status;
}

attcert_status attcert_prediction_set_tokens(attcert_prediction *p, const attcert_tokens *tokens, attcert_error *err) {
  if (p == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  return network_handle_set_tokens(&p->of, tokens, err);
}

attcert_status attcert_prediction_set_pairs(attcert_prediction *p, const bool *mask, size_t masks, const double *bias,
                                            size_t biases, attcert_error *err) {
  if (p == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  return network_handle_set_pairs(&p->of, mask, masks, bias, biases, err);
}

static attcert_status tell(attcert_prediction *p, double seconds, attcert_error *err) {
  const token_list words = {.count = 0};
  const prediction_facts told = {.subject = &p->of.subject,
                                 .head = &p->of.head,
                                 .network = &p->of.network,
                                 .prediction = &p->answer,
                                 .words = &words,
                                 .seconds = seconds};
  const attcert_status status = report_print(&p->json, prediction_report_write, true, &told, err);
  return status == ATTCERT_OK ? report_print(&p->text, prediction_report_write, false, &told, err) : status;
}

static attcert_status decide(attcert_prediction *p, size_t top, const attcert_options *options, attcert_error *err) {
  const double start = clock_seconds();
  if (p == NULL) return attcert_fail(err, ATTCERT_INPUT, "question: NULL, expected one");
  const robust_network *const network = &p->of.network;
  const int most = top < 1 ? 1 : top > (size_t)network->labels ? network->labels : (int)top;
  const robust_watch watch = {.progress = options != NULL ? options->progress : NULL,
                              .context = options != NULL ? options->progress_context : NULL,
                              .stage = "scores"};
  const robust_prediction_place at = {.x = &p->of.x,
                                      .each_sign = network->each_sign,
                                      .top = network->each_sign ? network->labels : most,
                                      .watch = &watch};
  p->decided = false;
  robust_prediction_clear(&p->answer);
  attcert_status status = network_handle_check(&p->of, err);
  if (status == ATTCERT_OK) status = robust_prediction_enclose(&p->answer, &network->steps, &at, err);
  if (status == ATTCERT_OK) status = tell(p, clock_seconds() - start, err);
  if (status != ATTCERT_OK) return status;
  p->decided = true;
  return robust_prediction_status(&p->answer);
}

size_t attcert_prediction_count(const attcert_prediction *p) {
  return p->decided ? (size_t)p->answer.rows : 0;
}

double attcert_prediction_number(const attcert_prediction *p, size_t i, const char *name) {
  if (i >= attcert_prediction_count(p)) return NAN;
  const robust_row *const row = &p->answer.row[i];
  const struct {
    const char *name;
    double value;
  } numbers[] = {
      {"label", row->label}, {"rival", row->rival}, {"margin_lower", row->margin.lo}, {"margin_upper", row->margin.hi}};
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
    if (strcmp(name, numbers[k].name) == 0) return numbers[k].value;
  }
  return NAN;
}

const char *attcert_prediction_json(const attcert_prediction *p) {
  return p->decided ? p->json : NULL;
}

const char *attcert_prediction_text(const attcert_prediction *p) {
  return p->decided ? p->text : NULL;
}

/* ---- in the default environment ---------------------------------------------------------------------------------- */

attcert_status attcert_prediction_new(attcert_prediction **made, const attcert_model *m, const double *hidden,
                                      size_t rows, size_t cols, const char *architecture, int token,
                                      attcert_error *err) {
  const network_handle_input input = {hidden, rows, cols};
  const network_handle_head asked = {.architecture = architecture,
                                     .token = token < 0 ? HEAD_TOKEN_UNASKED : token,
                                     .every_token = token == ATTCERT_EVERY_TOKEN};
  environment before;
  if (made != NULL) *made = NULL;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? new_question(made, m, &input, &asked, err) : status);
}

attcert_status attcert_prediction_decide(attcert_prediction *p, size_t top, const attcert_options *options,
                                         attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? decide(p, top, options, err) : status);
}
