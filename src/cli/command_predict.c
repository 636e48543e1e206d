/* attcert predict: the answer of a whole network at an input, certified. */
#include "base/clock.h"
#include "base/progress_line.h"
#include "cli/commands.h"
#include "cli/output/output.h"
#include "cli/source/network_source.h"
#include "report/robust/prediction_report.h"
#include "run/run_tokens.h"

#include <stdlib.h>
#include <unistd.h>

static attcert_status enclose(robust_prediction *p, const network_source *s, int top, attcert_error *err) {
  const robust_network *const network = &s->network;
  progress_line line;
  progress_line_start(&line, stderr, isatty(STDERR_FILENO));
  const robust_watch watch = {progress_line_update, &line, "scores"};
  const robust_prediction_place at = {
      .x = &s->x, .each_sign = network->each_sign, .top = network->each_sign ? network->labels : top, .watch = &watch};
  const attcert_status status = robust_prediction_enclose(p, &network->steps, &at, err);
  progress_line_end(&line);
  return status;
}

/* The answers as words, where they are words. */
static attcert_status find_words(token_list *words, const robust_prediction *p, const network_source *s,
                                 attcert_error *err) {
  int count;
  if (s->head.kind != HEAD_NEXT_TOKEN && s->head.kind != HEAD_MASKED) return ATTCERT_OK;
  int *const label = prediction_words(&count, p, err);
  const attcert_status status =
      label != NULL ? run_tokens_list(words, label, count, s->tokenizer, err) : ATTCERT_RESOURCE;
  free(label);
  return status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  const double start = clock_seconds();
  network_source s = {0};
  robust_prediction prediction = {0};
  token_list words = {0};
  attcert_status status = output_probe(options->output, err);
  if (status == ATTCERT_OK) status = network_source_open(&s, options, err);
  if (status == ATTCERT_OK) status = enclose(&prediction, &s, options->top, err);
  if (status == ATTCERT_OK) status = find_words(&words, &prediction, &s, err);
  const prediction_facts p = {.subject = &s.subject,
                              .head = &s.head,
                              .network = &s.network,
                              .prediction = &prediction,
                              .words = &words,
                              .seconds = clock_seconds() - start};
  if (status == ATTCERT_OK)
    status = output_write(options->output, prediction_report_write, options->format == FORMAT_JSON, &p, err);
  if (status == ATTCERT_OK) status = robust_prediction_status(&prediction);
  token_list_clear(&words);
  robust_prediction_clear(&prediction);
  network_source_clear(&s);
  return status;
}

const cli_command command_predict = {
    .name = "predict",
    .summary = "certify a whole network's answer at an input",
    .groups = OPTIONS_PREDICT | OPTIONS_TEXT | OPTIONS_REPORT,
    .run = run,
};
