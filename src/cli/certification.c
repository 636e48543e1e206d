/* One run of the certifier, from the options to the report. */
#include "cli/certification.h"

#include "cli/output.h"
#include "model/npy.h"
#include "report/number_text.h"
#include "report/report.h"

#include <time.h>
#include <unistd.h>

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void set_options(certification *c, const cli_options *o) {
  progress_line_start(&c->progress, stderr, isatty(STDERR_FILENO));
  attcert_options_default(&c->options);
  c->options.engine = (attcert_engine)o->engine;
  c->options.precision = o->precision;
  c->options.tolerance = o->tolerance;
  c->options.threads = o->threads;
  c->options.memory_limit = o->memory_limit;
  c->options.progress = progress_line_update;
  c->options.progress_context = &c->progress;
}

static attcert_status probe_outputs(const cli_options *o, attcert_error *err) {
  const char *const paths[] = {o->output, o->vector_out, o->save_input};
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < 3 && status == ATTCERT_OK; i++) status = output_probe(paths[i], err);
  return status;
}

attcert_status certification_run(certification *c, attcert_error *err) {
  const attcert_status status =
      attcert_certify(&c->certificate, &c->source.layer, &c->source.x, &c->options, &c->incomplete);
  progress_line_end(&c->progress);
  if (status == ATTCERT_OK || status == ATTCERT_NEGATIVE) return ATTCERT_OK;
  if (status == ATTCERT_RESOURCE && mpfr_number_p(c->certificate.upper)) return ATTCERT_OK;
  *err = c->incomplete;
  return status;
}

attcert_status certification_load(certification *c, const cli_options *o, attcert_error *err) {
  *c = (certification){0};
  attcert_certificate_init(&c->certificate);
  theory_table_init(&c->bounds);
  set_options(c, o);
  const attcert_status status = probe_outputs(o, err);
  return status != ATTCERT_OK ? status : layer_source_load(&c->source, o, err);
}

void certification_clear(certification *c) {
  theory_table_clear(&c->bounds);
  attcert_certificate_clear(&c->certificate);
  layer_source_clear(&c->source);
}

/* The theory needs the layer in intervals once more: planned before it is allocated. */
static attcert_status check_memory(const certification *c, attcert_error *err) {
  const uint64_t limit = c->options.memory_limit;
  const uint64_t needed = layer_enclosure_bytes(&c->source.layer, c->source.x.rows, c->certificate.precision);
  char needed_text[NUMBER_TEXT_SIZE], limit_text[NUMBER_TEXT_SIZE];
  if (limit == 0 || needed <= limit) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "theory bounds: the layer in intervals needs %s, the limit is %s",
                      number_text_bytes(needed_text, needed), number_text_bytes(limit_text, limit));
}

attcert_status certification_add_bounds(certification *c, double radius, attcert_error *err) {
  const double start = seconds_now();
  const layer_source *const s = &c->source;
  layer_enclosure e;
  attcert_status status = check_memory(c, err);
  if (status != ATTCERT_OK) return status;
  progress_line_update(&c->progress, "theory bounds", 0);
  status = layer_enclosure_init(&e, &s->layer, &s->x, c->certificate.precision, c->options.threads, err);
  if (status == ATTCERT_OK) {
    status = theory_evaluate(&c->bounds, &s->layer, &s->x, &e, radius, err);
    layer_enclosure_clear(&e);
  }
  progress_line_end(&c->progress);
  c->has_bounds = status == ATTCERT_OK;
  c->bounds_seconds = seconds_now() - start;
  return status;
}

attcert_status certification_report(const certification *c, const cli_options *o, const char *command,
                                    const estimate_check *check, attcert_error *err) {
  const report r = {.command = command,
                    .subject = &c->source.subject,
                    .options = &c->options,
                    .certificate = &c->certificate,
                    .incomplete = c->incomplete.status == ATTCERT_RESOURCE ? c->incomplete.message : NULL,
                    .bounds = c->has_bounds ? &c->bounds : NULL,
                    .bounds_missing = c->bounds_missing.status == ATTCERT_RESOURCE ? c->bounds_missing.message : NULL,
                    .bounds_seconds = c->bounds_seconds,
                    .check = check};
  output out;
  attcert_status status = ATTCERT_OK;
  if (o->vector_out != NULL) status = npy_write(o->vector_out, &c->certificate.vector, err);
  if (status == ATTCERT_OK && o->save_input != NULL) status = npy_write(o->save_input, &c->source.x, err);
  if (status == ATTCERT_OK) status = output_open(&out, o->output, err);
  if (status != ATTCERT_OK) return status;
  (o->format == FORMAT_JSON ? report_json : report_text)(out.stream, &r);
  return output_close(&out, err);
}

attcert_status certification_verdict(const certification *c, attcert_error *err) {
  if (c->incomplete.status == ATTCERT_RESOURCE) {
    *err = c->incomplete;
    return ATTCERT_RESOURCE;
  }
  return c->certificate.tolerance_met ? ATTCERT_OK : ATTCERT_NEGATIVE;
}
