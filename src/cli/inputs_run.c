#include "cli/inputs_run.h"

#include "cli/job_list.h"
#include "cli/options/option_paths.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const cli_options *options;
  const source_inputs *inputs;
  job job;
  job_list list;
  int at; /* the input that is certified */
  attcert_status worst;
} run;

/* An attcert_progress callback: which input, and how far the whole run is. */
static int show_progress(void *context, const char *stage, double done) {
  run *const r = context;
  char text[128];
  snprintf(text, sizeof text, "%d of %d: %s", r->at + 1, r->inputs->count, stage);
  return progress_line_update(&r->job.progress, text, (r->at + done) / r->inputs->count);
}

/* Of one input, named in the message. */
static attcert_status named(attcert_status status, const run *r, const attcert_error *cause, attcert_error *err) {
  const char *const path = r->inputs->path[r->at];
  if (status == ATTCERT_OK || cause->message[0] == '\0') return status;
  if (strncmp(cause->message, path, strlen(path)) == 0) /* as errors of reading are */
    return attcert_fail(err, cause->status, "%s", cause->message);
  return attcert_fail(err, cause->status, "%s: %.900s", path, cause->message);
}

static cli_options options_at(const run *r) {
  cli_options o = *r->options;
  o.input = r->inputs->path[r->at];
  return o;
}

static attcert_status read_at(run *r, attcert_error *err) {
  const cli_options o = options_at(r);
  attcert_error cause = {.message = ""};
  attcert_status status = option_paths_check(&o, &cause);
  if (status == ATTCERT_OK) status = job_next(&r->job, &o, &cause);
  if (status == ATTCERT_OK) status = job_read_region(&r->job, &o, &cause);
  return named(status, r, &cause, err);
}

/* What is wrong with one shows before the long run, and before there is a file. */
static attcert_status read_all(run *r, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (r->at = 0; r->at < r->inputs->count && status == ATTCERT_OK; r->at++) status = read_at(r, err);
  return status;
}

/* The worst so far, and the first message of it. */
static void keep_worst(run *r, attcert_status status, const attcert_error *cause, attcert_error *err) {
  if (status <= r->worst) return;
  r->worst = status;
  named(status, r, cause, err);
}

static attcert_status certify_at(run *r, attcert_status (*one)(job *, const cli_options *, attcert_error *),
                                 attcert_error *err) {
  const cli_options o = options_at(r);
  attcert_error cause = {.message = ""};
  attcert_status status = read_at(r, err);
  if (status != ATTCERT_OK) return status;
  status = one(&r->job, &o, &cause);
  if (status == ATTCERT_RESOURCE) {
    keep_worst(r, status, &cause, err);
    return job_list_add_failure(&r->list, o.input, cause.message, err);
  }
  if (status != ATTCERT_OK) return named(status, r, &cause, err);
  status = job_report(&r->job, &o, "certify", NULL, err);
  if (status == ATTCERT_OK) keep_worst(r, run_layer_verdict(&r->job.run, &cause), &cause, err);
  return status;
}

static attcert_status certify_all(run *r, attcert_status (*one)(job *, const cli_options *, attcert_error *),
                                  attcert_error *err) {
  attcert_error unwritten = {.message = ""};
  attcert_status status = job_list_begin(&r->list, r->options, r->inputs->count, err);
  if (status != ATTCERT_OK) return status;
  r->job.list = &r->list;
  for (r->at = 0; r->at < r->inputs->count && status == ATTCERT_OK; r->at++) status = certify_at(r, one, err);
  const attcert_status written = job_list_end(&r->list, status, NULL, &unwritten);
  if (written != status) *err = unwritten;
  return written != ATTCERT_OK ? written : r->worst;
}

/* What is saved is of one input. */
static attcert_status check_options(const cli_options *o, attcert_error *err) {
  const option_id of_one[] = {OPTION_VECTOR_OUT, OPTION_SAVE_INPUT};
  static const char *const names[] = {"vector-out", "save-input"};
  for (int i = 0; i < 2; i++) {
    if (o->given[of_one[i]]) return attcert_fail(err, ATTCERT_INPUT, "--%s: expected one --input with it", names[i]);
  }
  return ATTCERT_OK;
}

attcert_status inputs_run(const cli_options *options, const source_inputs *inputs,
                          attcert_status (*one)(job *j, const cli_options *options, attcert_error *err),
                          attcert_error *err) {
  run r = {.options = options, .inputs = inputs};
  attcert_status status = check_options(options, err);
  if (status != ATTCERT_OK) return status;
  status = job_open_function(&r.job, options, err);
  r.job.run.options.progress = show_progress;
  r.job.run.options.progress_context = &r;
  if (status == ATTCERT_OK) status = read_all(&r, err);
  if (status == ATTCERT_OK) status = certify_all(&r, one, err);
  job_clear(&r.job);
  return status;
}
