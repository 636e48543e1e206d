/* attcert robust: whether any input of a ball changes a whole network's answer. */
#include "base/clock.h"
#include "cli/certificate/certificate_file.h"
#include "cli/commands.h"
#include "cli/dataset_run.h"
#include "cli/interrupt.h"
#include "cli/output/output.h"
#include "cli/output/plot_output.h"
#include "cli/source/network_source.h"
#include "model/format/npy.h"
#include "report/robust/robust_plan_report.h"
#include "report/robust/robust_plot.h"
#include "report/robust/robust_report.h"

#include <string.h>
#include <unistd.h>

static attcert_status write_report(const cli_options *o, const robust_facts *r, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  if (o->save_input != NULL && r->verdict->counterexample.data != NULL)
    status = npy_write(o->save_input, &r->verdict->counterexample, err);
  if (status == ATTCERT_OK && o->certificate != NULL && r->verdict->certified > 0.0)
    status = certificate_file_write(o->certificate, &command_robust, o, r, err);
  if (status == ATTCERT_OK) status = output_write(o->output, robust_report_write, o->format == FORMAT_JSON, r, err);
  return status == ATTCERT_OK ? plot_output_write(o->plot, robust_plot, r, err) : status;
}

/* ATTCERT_CANCELLED where a signal ended it. */
static attcert_status answer(robust_verdict *verdict, network_source *s, const cli_options *options,
                             attcert_error *err) {
  progress_line line;
  interrupt watch;
  progress_line_start(&line, stderr, isatty(STDERR_FILENO));
  interrupt_start(&watch, &line);
  const robust_question question = {.radius = options->radius.first,
                                    .relative = options->relative,
                                    .attack = options->attack,
                                    .memory = options->memory_limit,
                                    .progress = interrupt_progress,
                                    .progress_context = &watch};
  const attcert_status status =
      s->choices.tokens > 0
          ? robust_choices_decide(verdict, &s->choices, &s->network.steps, &s->ball, &question, options->enumerate, err)
          : robust_verdict_reach(verdict, &s->network.steps, &s->ball, &question, err);
  interrupt_end();
  progress_line_end(&line);
  return status == ATTCERT_CANCELLED
             ? attcert_fail(err, status, "interrupted (%s)%s", strsignal(watch.number),
                            verdict->first_order > 0.0 ? "" : "; no bound to report: the margin is not known yet")
             : status;
}

/* Whether the run ended early, but what it has found is worth a report. */
static bool ended_early(attcert_status status, const robust_verdict *verdict) {
  return (status == ATTCERT_CANCELLED && verdict->first_order > 0.0) ||
         (status == ATTCERT_RESOURCE && verdict->certified > 0.0);
}

/* What the run would take, of a ball of any radius. */
static attcert_status tell_plan(const cli_options *o, network_source *s, attcert_error *err) {
  const robust_question question = {.memory = o->memory_limit};
  robust_verdict verdict = {0};
  uint64_t memory;
  s->ball.region.radius = 1.0;
  attcert_status status = robust_verdict_memory(&memory, &question, err);
  if (status == ATTCERT_OK)
    status =
        robust_plan_make(&verdict.bound.plan, &s->network.steps, &s->ball.region, s->ball.format != NULL, memory, err);
  robust_facts r = network_source_facts(s, &verdict, clock_seconds());
  r.radius = o->radius.first;
  if (status == ATTCERT_OK)
    status = output_write(o->output, robust_plan_report_write, o->format == FORMAT_JSON, &r, err);
  robust_verdict_clear(&verdict);
  return status;
}

static attcert_status run_one(const cli_options *options, attcert_error *err) {
  const double start = clock_seconds();
  network_source s = {0};
  robust_verdict verdict = {0};
  attcert_status status = plot_output_probe(options->plot, err);
  if (status == ATTCERT_OK) status = output_probe(options->output, err);
  if (status == ATTCERT_OK) status = output_probe(options->save_input, err);
  if (status == ATTCERT_OK) status = output_probe(options->certificate, err);
  if (status == ATTCERT_OK) status = network_source_load(&s, options, err);
  const step_format format =
      step_format_of(&float_formats[options->execution > 0 ? options->execution - 1 : 0], options->ulp);
  if (options->execution > 0) s.ball.format = &format;
  if (status == ATTCERT_OK && options->plan) {
    status = tell_plan(options, &s, err);
    network_source_clear(&s);
    return status;
  }
  if (status == ATTCERT_OK) status = answer(&verdict, &s, options, err);
  const bool early = ended_early(status, &verdict);
  robust_facts r = network_source_facts(&s, &verdict, start);
  r.choices = s.choices.tokens > 0 ? &s.choices : NULL;
  r.choice_tokens = &s.synonyms.choices;
  r.radius = options->radius.first;
  r.incomplete = early ? err->message : NULL;
  if (status == ATTCERT_CANCELLED) status = ATTCERT_RESOURCE;
  if (status == ATTCERT_OK || early) {
    attcert_error unwritten;
    const attcert_status written = write_report(options, &r, &unwritten);
    if (written != ATTCERT_OK) *err = unwritten;
    if (written != ATTCERT_OK || !early) status = written;
  }
  if (status == ATTCERT_OK) status = robust_verdict_status(&verdict, options->search);
  robust_verdict_clear(&verdict);
  network_source_clear(&s);
  return status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  return options->dataset != NULL ? dataset_run(options, err) : run_one(options, err);
}

const cli_command command_robust = {
    .name = "robust",
    .summary = "certify that no input of a ball changes a whole network's answer",
    .groups = OPTIONS_NETWORK | OPTIONS_ROBUST | OPTIONS_TEXT | OPTIONS_REPORT,
    .run = run,
};
