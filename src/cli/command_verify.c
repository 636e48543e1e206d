/* attcert verify: the answer that a certificate of `robust` holds, proved again by one bound. */
#include "base/clock.h"
#include "base/progress_line.h"
#include "cli/certificate/certificate_file.h"
#include "cli/commands.h"
#include "cli/output/output.h"
#include "cli/source/network_source.h"
#include "report/robust/robust_report.h"

#include <unistd.h>

/* The class that the certificate names counts; where the question names one, it is the same. */
static attcert_status settle_label(network_source *s, const certificate_file *c, attcert_error *err) {
  const int classes = robust_network_classes(&s->network);
  if (c->label >= classes || (s->ball.label != LABEL_LARGEST && s->ball.label != c->label))
    return attcert_fail(err, ATTCERT_INPUT, "%s: 'class' is %d, expected one of %d, and the label of the question",
                        c->file.path, c->label, classes);
  s->ball.label = c->label;
  s->ball.found = &c->found;
  return ATTCERT_OK;
}

static attcert_status load(network_source *s, certificate_file *c, cli_options *question, const cli_options *options,
                           attcert_error *err) {
  attcert_status status = certificate_file_open(c, options->operand, err);
  if (status == ATTCERT_OK) status = certificate_file_question(question, c, &command_robust, options, err);
  if (status == ATTCERT_OK) status = network_source_load(s, question, err);
  if (status == ATTCERT_OK) status = certificate_file_check(c, &s->subject, err);
  if (status == ATTCERT_OK) status = settle_label(s, c, err);
  s->ball.region.radius = s->ball.region.box != NULL ? 1.0 : question->radius.first;
  return status;
}

static attcert_status prove(robust_verdict *verdict, const network_source *s, uint64_t memory, attcert_error *err) {
  progress_line line;
  progress_line_start(&line, stderr, isatty(STDERR_FILENO));
  const robust_question question = {.memory = memory, .progress = progress_line_update, .progress_context = &line};
  const attcert_status status = robust_verdict_verify(&verdict->bound, &s->network.steps, &s->ball, &question, err);
  progress_line_end(&line);
  verdict->center.label = verdict->bound.label;
  verdict->center.rival = verdict->bound.rival;
  verdict->failed = s->ball.region.radius;
  if (status == ATTCERT_OK && verdict->bound.margin.lo > 0.0) verdict->certified = s->ball.region.radius;
  return status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  const double start = clock_seconds();
  certificate_file c = {0};
  cli_options question = {0};
  network_source s = {0};
  robust_verdict verdict = {0};
  attcert_status status = output_probe(options->output, err);
  if (status == ATTCERT_OK) status = load(&s, &c, &question, options, err);
  const step_format format =
      step_format_of(&float_formats[question.execution > 0 ? question.execution - 1 : 0], question.ulp);
  if (question.execution > 0) s.ball.format = &format;
  if (status == ATTCERT_OK) status = prove(&verdict, &s, options->memory_limit, err);
  robust_facts r = network_source_facts(&s, &verdict, start);
  r.bound_alone = true;
  r.radius = question.radius.first;
  if (status == ATTCERT_OK)
    status = output_write(options->output, robust_report_write_verified, options->format == FORMAT_JSON, &r, err);
  if (status == ATTCERT_OK && verdict.certified == 0.0) status = ATTCERT_UNDECIDED;
  robust_verdict_clear(&verdict);
  network_source_clear(&s);
  certificate_file_close(&c);
  return status;
}

const cli_command command_verify = {
    .name = "verify",
    .summary = "prove again what a certificate of robust holds, without searching",
    .operand = "CERTIFICATE",
    .groups = OPTIONS_VERIFY | OPTIONS_REPORT,
    .run = run,
};
