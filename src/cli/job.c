/* One run of the certifier, from the options to the report. */
#include "cli/job.h"

#include "base/process_group.h"
#include "cli/job_list.h"
#include "cli/output/output.h"
#include "model/format/npy.h"
#include "run/run_words.h"

#include <stdlib.h>
#include <unistd.h>

static void set_options(job *j, const cli_options *o) {
  progress_line_start(&j->progress, stderr, process_group_reports(o->group) && isatty(STDERR_FILENO));
  j->run.options.engine = (attcert_engine)o->engine;
  j->run.options.precision = o->precision;
  j->run.options.tolerance = o->tolerance;
  j->run.options.threads = o->threads;
  j->run.options.memory_limit = o->memory_limit;
  j->run.options.scratch = o->scratch;
  j->run.options.failure = o->failure;
  j->run.options.seeded = o->given[OPTION_SEED_OF_BITS];
  j->run.options.seed = o->seed_of_bits;
  j->run.options.group = o->group;
  j->run.options.progress = progress_line_update;
  j->run.options.progress_context = &j->progress;
}

static attcert_status probe_outputs(const cli_options *o, attcert_error *err) {
  const char *const paths[] = {o->output, o->vector_out, o->save_input};
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < 3 && process_group_reports(o->group) && status == ATTCERT_OK; i++)
    status = output_probe(paths[i], err);
  return status;
}

attcert_status job_ended(job *j, attcert_status status) {
  progress_line_end(&j->progress);
  return status;
}

attcert_status job_run_whole(job *j, attcert_error *err) {
  const attcert_status status = job_ended(j, run_layer_certify(&j->run, err));
  if (status != ATTCERT_OK || j->run.incomplete.status != ATTCERT_RESOURCE) return status;
  *err = j->run.incomplete;
  return ATTCERT_RESOURCE;
}

void job_init(job *j, const cli_options *o) {
  *j = (job){0};
  run_layer_init(&j->run);
  j->run.layer = &j->source.layer;
  j->run.x = &j->source.x;
  set_options(j, o);
}

void job_avoid_probability(job *j, const cli_options *o) {
  if (o->engine == ATTCERT_ENGINE_AUTO && !o->given[OPTION_FAILURE]) j->run.options.failure = 0.0;
}

/* All read, and take the input that process 0 computed: theirs may differ in a rounding
 * where their processors differ. */
static attcert_status share_input(job *j, attcert_status status, attcert_error *err) {
  const attcert_process_group *const group = j->run.options.group;
  attcert_matrix *const x = &j->source.x;
  status = process_group_allreduce_status(group, status, err);
  if (status != ATTCERT_OK) return status;
  const size_t count = (size_t)x->rows * (size_t)x->cols;
  size_t theirs = count;
  process_group_broadcast(group, &theirs, sizeof theirs, 0);
  if (theirs != count)
    status = attcert_fail(err, ATTCERT_INPUT, "process %d reads an input of another size than process 0", group->rank);
  status = process_group_allreduce_status(group, status, err);
  if (status == ATTCERT_OK) process_group_broadcast(group, x->data, count * sizeof(double), 0);
  return status;
}

typedef attcert_status source_opener(layer_source *source, const cli_options *options, attcert_error *err);

static attcert_status open_source(job *j, const cli_options *o, source_opener *open, attcert_error *err) {
  job_init(j, o);
  const attcert_status status = probe_outputs(o, err);
  return status == ATTCERT_OK ? open(&j->source, o, err) : status;
}

static attcert_status load(job *j, const cli_options *o, source_opener *open, attcert_error *err) {
  attcert_status status = open_source(j, o, open, err);
  if (status == ATTCERT_OK) status = layer_source_complete(&j->source, o, err);
  if (j->source.has_steps) j->run.steps = &j->source.steps;
  return share_input(j, status, err);
}

attcert_status job_load(job *j, const cli_options *o, attcert_error *err) {
  return load(j, o, layer_source_open, err);
}

attcert_status job_load_function(job *j, const cli_options *o, attcert_error *err) {
  return load(j, o, layer_source_open_function, err);
}

attcert_status job_open(job *j, const cli_options *o, attcert_error *err) {
  return open_source(j, o, layer_source_open, err);
}

attcert_status job_open_function(job *j, const cli_options *o, attcert_error *err) {
  const attcert_status status = open_source(j, o, layer_source_open_function, err);
  return process_group_allreduce_status(o->group, status, err);
}

attcert_status job_next(job *j, const cli_options *o, attcert_error *err) {
  run_layer_again(&j->run);
  const attcert_status status = layer_source_next(&j->source, o, err);
  if (j->source.has_steps) j->run.steps = &j->source.steps;
  return share_input(j, status, err);
}

void job_clear(job *j) {
  free(j->moves);
  run_layer_clear(&j->run);
  layer_source_clear(&j->source);
}

attcert_status job_add_bounds_if_possible(job *j, double radius, attcert_error *err) {
  attcert_error *const missing = &j->run.bounds_missing;
  const attcert_status status = job_ended(j, run_layer_add_bounds(&j->run, radius, missing));
  if (status == ATTCERT_RESOURCE) return ATTCERT_OK;
  *err = *missing;
  return status;
}

attcert_status job_read_region(job *j, const cli_options *o, attcert_error *err) {
  free(j->moves);
  const attcert_status status =
      run_words_read(&j->moves, o->words, j->source.x.rows, &j->source.subject.input_tokens, err);
  j->run.region = (ball_region){.radius = o->radius.first, .kind = (ball_kind_id)o->ball, .moves = j->moves};
  return status;
}

attcert_status job_report(const job *j, const cli_options *o, const char *command, const estimate_check *check,
                          attcert_error *err) {
  report_ball ball;
  report r = run_layer_report(&j->run, command, &j->source.subject, &ball);
  r.check = check;
  r.worst = j->worst;
  attcert_status status = ATTCERT_OK;
  if (!process_group_reports(o->group)) return ATTCERT_OK;
  if (j->list != NULL) return job_list_add(j->list, &r, err);
  if (o->vector_out != NULL) status = npy_write(o->vector_out, &j->run.certificate.vector, err);
  if (status == ATTCERT_OK && o->save_input != NULL) status = npy_write(o->save_input, &j->source.x, err);
  return status == ATTCERT_OK ? output_write(o->output, report_write, o->format == FORMAT_JSON, &r, err) : status;
}

attcert_status job_finish(const job *j, const cli_options *o, const char *command, const estimate_check *check,
                          attcert_error *err) {
  const attcert_status status = job_report(j, o, command, check, err);
  return status == ATTCERT_OK ? run_layer_verdict(&j->run, err) : status;
}
