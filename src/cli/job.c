/* One run of the certifier, from the options to the report. */
#include "cli/job.h"

#include "base/clock.h"
#include "base/process_group.h"
#include "cli/output/output.h"
#include "model/format/npy.h"
#include "report/number_text.h"
#include "report/report.h"

#include <stdlib.h>
#include <unistd.h>

static void set_options(job *j, const cli_options *o) {
  progress_line_start(&j->progress, stderr, process_group_reports(o->group) && isatty(STDERR_FILENO));
  attcert_options_default(&j->options);
  j->options.engine = (attcert_engine)o->engine;
  j->options.precision = o->precision;
  j->options.tolerance = o->tolerance;
  j->options.threads = o->threads;
  j->options.memory_limit = o->memory_limit;
  j->options.scratch = o->scratch;
  j->options.group = o->group;
  j->options.progress = progress_line_update;
  j->options.progress_context = &j->progress;
}

static attcert_status probe_outputs(const cli_options *o, attcert_error *err) {
  const char *const paths[] = {o->output, o->vector_out, o->save_input};
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < 3 && process_group_reports(o->group) && status == ATTCERT_OK; i++)
    status = output_probe(paths[i], err);
  return status;
}

attcert_status job_run(job *j, attcert_error *err) {
  j->incomplete = (attcert_error){.message = ""};
  const attcert_status status =
      attcert_certify(&j->certificate, &j->source.layer, &j->source.x, &j->options, &j->incomplete);
  progress_line_end(&j->progress);
  if (status == ATTCERT_OK || status == ATTCERT_NEGATIVE) return ATTCERT_OK;
  if (status == ATTCERT_RESOURCE && mpfr_number_p(j->certificate.upper)) return ATTCERT_OK;
  *err = j->incomplete;
  return status;
}

attcert_status job_run_pointwise(job *j, attcert_error *err) {
  const attcert_options asked = j->options;
  j->options.engine = ATTCERT_ENGINE_POINTWISE;
  j->options.scratch = NULL;
  const attcert_status status = job_run(j, err);
  j->options = asked;
  return status;
}

attcert_status job_run_or_pointwise(job *j, attcert_error *err) {
  attcert_error refused = {.message = ""};
  attcert_status status = job_run(j, &refused);
  if (status == ATTCERT_RESOURCE && j->options.engine != ATTCERT_ENGINE_POINTWISE) {
    status = job_run_pointwise(j, err);
    if (status == ATTCERT_OK) {
      j->incomplete = refused;
      return ATTCERT_OK;
    }
    status = ATTCERT_RESOURCE;
  }
  *err = refused;
  return status;
}

attcert_status job_run_whole(job *j, attcert_error *err) {
  const attcert_status status = job_run(j, err);
  if (status != ATTCERT_OK || j->incomplete.status != ATTCERT_RESOURCE) return status;
  *err = j->incomplete;
  return ATTCERT_RESOURCE;
}

void job_init(job *j, const cli_options *o) {
  *j = (job){0};
  attcert_certificate_init(&j->certificate);
  theory_table_init(&j->bounds);
  ball_enclosure_init(&j->ball);
  set_options(j, o);
}

/* All read, and take the input that process 0 computed: theirs may differ in a rounding
 * where their processors differ. */
static attcert_status share_input(job *j, attcert_status status, attcert_error *err) {
  const attcert_process_group *const group = j->options.group;
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

attcert_status job_load(job *j, const cli_options *o, attcert_error *err) {
  job_init(j, o);
  attcert_status status = probe_outputs(o, err);
  if (status == ATTCERT_OK) status = layer_source_load(&j->source, o, err);
  return share_input(j, status, err);
}

attcert_status job_open(job *j, const cli_options *o, attcert_error *err) {
  job_init(j, o);
  const attcert_status status = probe_outputs(o, err);
  return status != ATTCERT_OK ? status : layer_source_open(&j->source, o, err);
}

void job_clear(job *j) {
  ball_enclosure_clear(&j->ball);
  free(j->moves);
  theory_table_clear(&j->bounds);
  attcert_certificate_clear(&j->certificate);
  layer_source_clear(&j->source);
}

/* The theory needs the layer in intervals once more: planned before it is allocated. */
static attcert_status check_bounds_memory(const job *j, attcert_error *err) {
  const uint64_t limit = j->options.memory_limit;
  const uint64_t needed = layer_enclosure_bytes(&j->source.layer, j->source.x.rows, j->certificate.precision);
  char needed_text[NUMBER_TEXT_SIZE], limit_text[NUMBER_TEXT_SIZE];
  if (limit == 0 || needed <= limit) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "theory bounds: the layer in intervals needs %s, the limit is %s",
                      number_text_bytes(needed_text, needed), number_text_bytes(limit_text, limit));
}

attcert_status job_add_bounds(job *j, double radius, attcert_error *err) {
  const double start = clock_seconds();
  const layer_source *const s = &j->source;
  layer_enclosure e;
  if (!process_group_reports(j->options.group)) return ATTCERT_OK;
  attcert_status status = check_bounds_memory(j, err);
  if (status != ATTCERT_OK) return status;
  j->options.progress(j->options.progress_context, "theory bounds", 0);
  status = layer_enclosure_init(&e, &s->layer, &s->x, j->certificate.precision, j->options.threads, err);
  if (status == ATTCERT_OK) {
    status = theory_evaluate(&j->bounds, &s->layer, &s->x, &e, radius, err);
    layer_enclosure_clear(&e);
  }
  progress_line_end(&j->progress);
  j->has_bounds = status == ATTCERT_OK;
  j->bounds_seconds = clock_seconds() - start;
  return status;
}

attcert_status job_add_bounds_if_possible(job *j, double radius, attcert_error *err) {
  const attcert_status status = job_add_bounds(j, radius, &j->bounds_missing);
  if (status == ATTCERT_RESOURCE) return ATTCERT_OK;
  *err = j->bounds_missing;
  return status;
}

attcert_status job_report(const job *j, const cli_options *o, const char *command, const estimate_check *check,
                          attcert_error *err) {
  const report_ball ball = {&j->region, &j->ball, j->source.x.rows};
  const report r = {.command = command,
                    .subject = &j->source.subject,
                    .options = &j->options,
                    .certificate = &j->certificate,
                    .incomplete = j->incomplete.status == ATTCERT_RESOURCE ? j->incomplete.message : NULL,
                    .bounds = j->has_bounds ? &j->bounds : NULL,
                    .bounds_missing = j->bounds_missing.status == ATTCERT_RESOURCE ? j->bounds_missing.message : NULL,
                    .bounds_seconds = j->bounds_seconds,
                    .ball = j->has_ball ? &ball : NULL,
                    .ball_missing = j->ball_missing.status == ATTCERT_RESOURCE ? j->ball_missing.message : NULL,
                    .check = check,
                    .worst = j->worst};
  output out;
  attcert_status status = ATTCERT_OK;
  if (!process_group_reports(o->group)) return ATTCERT_OK;
  if (o->vector_out != NULL) status = npy_write(o->vector_out, &j->certificate.vector, err);
  if (status == ATTCERT_OK && o->save_input != NULL) status = npy_write(o->save_input, &j->source.x, err);
  if (status == ATTCERT_OK) status = output_open(&out, o->output, err);
  if (status != ATTCERT_OK) return status;
  (o->format == FORMAT_JSON ? report_json : report_text)(out.stream, &r);
  return output_close(&out, err);
}

attcert_status job_verdict(const job *j, attcert_error *err) {
  if (j->incomplete.status == ATTCERT_RESOURCE) {
    *err = j->incomplete;
    return ATTCERT_RESOURCE;
  }
  if (j->ball_missing.status == ATTCERT_RESOURCE) {
    *err = j->ball_missing;
    return ATTCERT_RESOURCE;
  }
  return j->certificate.tolerance_met ? ATTCERT_OK : ATTCERT_NEGATIVE;
}
