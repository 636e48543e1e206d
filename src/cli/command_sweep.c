/* attcert sweep: the local Lipschitz constant against the length of the sequence, row by row into a CSV file. Sequence
 * s of length n is the tokens offset + (s - 1) n ... offset + s n - 1 of the text, as in Castin et al. */
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/output/output.h"
#include "cli/output/plot_output.h"
#include "cli/source/source_files.h"
#include "cli/sweep_curve_run.h"
#include "report/sweep/sweep_check.h"
#include "report/sweep/sweep_file.h"
#include "report/sweep/sweep_header.h"
#include "report/sweep/sweep_plot.h"
#include "report/sweep/sweep_resume.h"
#include "report/sweep/sweep_summary.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const cli_options *options;
  job job;
  int *tokens; /* of the text, from the offset on: as many as the longest sequences take */
  sweep_file file;
  int added;      /* rows that this run computed */
  int checked;    /* rows of the file that were set beside the theory */
  char where[64]; /* the row that is being computed */
  double done;    /* fraction of the work before it */
} sweep;

/* ---- progress ---------------------------------------------------------------------------------------------------- */

/* The share of a row in the work: the dense engine's time grows about as n^3. */
static double row_work(int n) {
  return (double)n * n * n;
}

static double whole_work(const cli_options *o) {
  double work = 0;
  for (int n = o->n.first; n <= o->n.last; n += o->n.step) work += row_work(n) * o->sequences;
  return work;
}

/* An attcert_progress callback: the row, the stage of its run, and how far the whole sweep is. */
static int show_progress(void *context, const char *stage, double done) {
  sweep *const s = context;
  char text[128];
  (void)done; /* of the stage */
  snprintf(text, sizeof text, "%s: %s", s->where, stage);
  return progress_line_update(&s->job.progress, text, s->done);
}

/* ---- one row ----------------------------------------------------------------------------------------------------- */

static void fill_row(sweep_row *row, const sweep *s, int n, int sequence) {
  const attcert_certificate *const c = &s->job.run.certificate;
  row->n = n;
  row->sequence = sequence;
  row->offset = s->options->offset + (sequence - 1) * n;
  row->radius = sweep_row_radius(&s->job.source.x);
  mpfr_set(row->lower, c->lower, MPFR_RNDD);
  mpfr_set(row->upper, c->upper, MPFR_RNDU);
  row->relative_width = c->relative_width;
  row->estimate = c->estimate;
  snprintf(row->engine, sizeof row->engine, "%s", attcert_engine_name(c->engine));
  for (int i = 0; i < THEORY_COUNT; i++) {
    row->bounds.bound[i].available = s->job.run.bounds.bound[i].available;
    mpfr_set(row->bounds.bound[i].value, s->job.run.bounds.bound[i].value, MPFR_RNDN); /* 53 bits both: exact */
  }
  row->seconds = c->seconds.total + s->job.run.bounds_seconds;
}

/* A run that ended early is no row: run again with more memory, the sweep goes on with it. */
static attcert_status certify_row(sweep *s, int n, int sequence, attcert_error *err) {
  job *const j = &s->job;
  attcert_status status = layer_source_set_tokens(&j->source, s->tokens + (size_t)(sequence - 1) * (size_t)n, n, err);
  if (status == ATTCERT_OK) status = job_run_whole(j, err);
  if (status == ATTCERT_OK && !s->options->no_bounds) status = job_ended(j, run_layer_add_bounds(&j->run, 0, err));
  return status;
}

static attcert_status add_row(sweep *s, int n, int sequence, attcert_error *err) {
  attcert_error cause = {.message = ""};
  snprintf(s->where, sizeof s->where, "n = %d, sequence %d of %d", n, sequence, s->options->sequences);
  const attcert_status status = certify_row(s, n, sequence, &cause);
  if (status != ATTCERT_OK) return attcert_fail(err, status, "n = %d, sequence %d: %s", n, sequence, cause.message);
  sweep_row *const row = sweep_file_new_row(&s->file, err);
  if (row == NULL) return ATTCERT_RESOURCE;
  fill_row(row, s, n, sequence);
  s->added++;
  return sweep_file_append(&s->file, err);
}

/* ---- all rows ---------------------------------------------------------------------------------------------------- */

/* The rows that are new since the last call; at first, all that the file held. */
static attcert_status check_new_rows(sweep *s, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (; s->checked < s->file.count && status == ATTCERT_OK; s->checked++)
    status = sweep_check(&s->file.rows[s->checked], err);
  return status;
}

static attcert_status add_rows(sweep *s, attcert_error *err) {
  const cli_options *const o = s->options;
  const double work = whole_work(o);
  attcert_status status = ATTCERT_OK;
  for (int n = o->n.first; n <= o->n.last; n += o->n.step) {
    for (int sequence = 1; sequence <= o->sequences && status == ATTCERT_OK; sequence++) {
      if (!sweep_file_has(&s->file, n, sequence)) status = add_row(s, n, sequence, err);
      if (status == ATTCERT_OK) status = check_new_rows(s, err);
      s->done += row_work(n) / work;
    }
  }
  return status;
}

/* ATTCERT_NEGATIVE when a tolerance was asked and a row of the file does not meet it. */
static attcert_status check_widths(const sweep *s) {
  for (int i = 0; i < s->file.count; i++) {
    if (s->options->tolerance > 0 && s->file.rows[i].relative_width > s->options->tolerance) return ATTCERT_NEGATIVE;
  }
  return ATTCERT_OK;
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

static attcert_status read_tokens(sweep *s, attcert_error *err) {
  const cli_options *const o = s->options;
  const int64_t count = (int64_t)o->sequences * sweep_range_largest(&o->n);
  if (count > INT32_MAX - o->offset)
    return attcert_fail(err, ATTCERT_INPUT, "--sequences: %d sequences of %d tokens are too many, expected fewer",
                        o->sequences, sweep_range_largest(&o->n));
  return source_files_read_text(&s->tokens, (int)count, s->job.source.tokenizer, &s->job.source.subject, o, err);
}

/* The longest input first: what is wrong with model or text shows before the long run, and before there is a file. */
static attcert_status prepare(sweep *s, attcert_error *err) {
  attcert_status status = plot_output_probe(s->options->plot, err);
  if (status == ATTCERT_OK) status = output_probe(s->options->output, err);
  if (status == ATTCERT_OK) status = layer_source_open(&s->job.source, s->options, err);
  if (status == ATTCERT_OK) status = read_tokens(s, err);
  if (status == ATTCERT_OK)
    status = layer_source_set_tokens(&s->job.source, s->tokens, sweep_range_largest(&s->options->n), err);
  return status;
}

static attcert_status open_rows(sweep *s, attcert_error *err) {
  char *header;
  const sweep_header kind = {
      .schema = "attcert/sweep/1", .sequences = s->options->sequences, .bounds = !s->options->no_bounds};
  attcert_status status = sweep_header_write(&header, &s->job.source.subject, &s->job.run.options, &kind, err);
  if (status != ATTCERT_OK) return status;
  status = sweep_file_open(&s->file, s->options->output, header, err);
  free(header);
  return status;
}

/* The rows that an earlier run left. */
static attcert_status check_old_rows(const sweep *s, attcert_error *err) {
  const cli_options *const o = s->options;
  const sweep_terms terms = {.offset = o->offset, .sequences = o->sequences, .bounds = !o->no_bounds};
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < s->file.count && status == ATTCERT_OK; i++)
    status = sweep_resume_check(&s->file.rows[i], &terms, o->output, err);
  return status;
}

static attcert_status run_prepared(sweep *s, attcert_error *err) {
  const report_subject *const subject = &s->job.source.subject;
  attcert_status status = open_rows(s, err);
  if (status != ATTCERT_OK) return status;
  status = check_old_rows(s, err);
  if (status == ATTCERT_OK) status = add_rows(s, err);
  progress_line_end(&s->job.progress);
  const sweep_picture picture = {subject, s->file.rows, s->file.count};
  const sweep_outcome outcome = {subject, &s->file, s->added, !s->options->no_bounds};
  if (status == ATTCERT_OK) status = plot_output_write(s->options->plot, sweep_plot, &picture, err);
  if (status == ATTCERT_OK) status = output_write(NULL, sweep_summary, false, &outcome, err);
  if (status == ATTCERT_OK) status = check_widths(s);
  sweep_file_close(&s->file);
  return status;
}

static attcert_status run_lengths(const cli_options *options, attcert_error *err) {
  sweep s = {.options = options};
  job_init(&s.job, options);
  job_avoid_probability(&s.job, options);
  s.job.run.options.progress = show_progress;
  s.job.run.options.progress_context = &s;
  attcert_status status = prepare(&s, err);
  if (status == ATTCERT_OK) status = run_prepared(&s, err);
  free(s.tokens);
  job_clear(&s.job);
  return status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  return options->given[OPTION_RADIUS] ? sweep_curve_run(options, err) : run_lengths(options, err);
}

const cli_command command_sweep = {
    .name = "sweep",
    .summary = "follow the local Lipschitz constant as the sequence, or a ball around an input, grows",
    .groups = OPTIONS_MODEL | OPTIONS_MASK | OPTIONS_TEXT | OPTIONS_INPUT | OPTIONS_RUN | OPTIONS_CERTIFY |
              OPTIONS_SWEEP | OPTIONS_OUTPUT,
    .required = {OPTION_MODEL, OPTION_LAYER, OPTION_OUTPUT},
    .run = run,
};
