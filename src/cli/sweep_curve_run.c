#include "cli/sweep_curve_run.h"

#include "base/arrays.h"
#include "cli/job.h"
#include "cli/output/output.h"
#include "cli/output/plot_output.h"
#include "report/number_text.h"
#include "report/subject_input.h"
#include "report/sweep/sweep_curve.h"
#include "report/sweep/sweep_header.h"

#include <stdlib.h>

typedef struct {
  const cli_options *options;
  job job;
  sweep_curve_row *rows;
  int count; /* rows that are there */
} curve_run;

static attcert_status allocate_rows(curve_run *c, attcert_error *err) {
  const int count = c->options->radius.count;
  c->rows = array_new((size_t)count, sizeof *c->rows, err, "a curve of %d radii", count);
  return c->rows == NULL ? ATTCERT_RESOURCE : ATTCERT_OK;
}

static void clear_rows(curve_run *c) {
  for (int i = 0; i < c->count; i++) sweep_curve_row_clear(&c->rows[i]);
  free(c->rows);
}

static attcert_status add_rows(curve_run *c, attcert_error *err) {
  job *const j = &c->job;
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < c->options->radius.count && status == ATTCERT_OK; i++) {
    j->run.region.radius = sweep_radii_at(&c->options->radius, i);
    status = job_add_ball(j, err);
    if (status == ATTCERT_OK && !j->run.has_ball) {
      *err = j->run.ball_missing;
      status = ATTCERT_RESOURCE;
    }
    if (status != ATTCERT_OK) break;
    sweep_curve_row_init(&c->rows[c->count]);
    sweep_curve_row_set(&c->rows[c->count++], j->run.region.radius, &j->run.ball);
  }
  return status;
}

static attcert_status write_rows(const curve_run *c, attcert_error *err) {
  const cli_options *const o = c->options;
  const sweep_header sweep = {.schema = "attcert/sweep-radius/1",
                              .bounds = true,
                              .ball = ball_region_kind(&c->job.run.region)->name,
                              .words = o->words};
  output out;
  char *header;
  attcert_status status = sweep_header_write(&header, &c->job.source.subject, &c->job.run.options, &sweep, err);
  if (status != ATTCERT_OK) return status;
  status = output_open(&out, o->output, err);
  if (status == ATTCERT_OK) {
    fprintf(out.stream, "%s\n", header);
    sweep_curve_write_names(out.stream);
    for (int i = 0; i < c->count; i++) sweep_curve_write(out.stream, &c->rows[i], &c->job.run.certificate);
    status = output_close(&out, err);
  }
  free(header);
  return status;
}

static attcert_status draw(FILE *image, sweep_plot_format format, const void *context, attcert_error *err) {
  const curve_run *const c = context;
  return sweep_curve_plot(image, format, &c->job.source.subject, &c->job.run.certificate, c->rows, c->count, err);
}

static attcert_status summarise(const curve_run *c, attcert_error *err) {
  char lower[NUMBER_TEXT_SIZE], upper[NUMBER_TEXT_SIZE];
  const sweep_curve_row *const last = &c->rows[c->count - 1];
  const attcert_certificate *const point = &c->job.run.certificate;
  output out;
  const attcert_status status = output_open(&out, NULL, err);
  if (status != ATTCERT_OK) return status;
  subject_print_tokens(out.stream, &c->job.source.subject);
  fprintf(out.stream, "point      %s <= ||D_X f||_2 <= %s\n", number_text_end(lower, point->lower, MPFR_RNDD),
          number_text_end(upper, point->upper, MPFR_RNDU));
  fprintf(out.stream, "rows       %d in %s; radius %.6g to %.6g\n", c->count, c->options->output, c->rows[0].radius,
          last->radius);
  fprintf(out.stream, "last       %s <= sup ||D_X' f||_2 <= %s, by %s\n",
          number_text_end(lower, last->lower, MPFR_RNDD), number_text_end(upper, last->upper, MPFR_RNDU),
          last->upper_by);
  return output_close(&out, err);
}

static attcert_status run_loaded(curve_run *c, attcert_error *err) {
  attcert_status status = job_read_region(&c->job, c->options, err);
  if (status == ATTCERT_OK) status = plot_output_probe(c->options->plot, err);
  if (status == ATTCERT_OK) status = allocate_rows(c, err);
  if (status == ATTCERT_OK) status = job_run_whole(&c->job, err);
  if (status == ATTCERT_OK) status = add_rows(c, err);
  if (status == ATTCERT_OK) status = write_rows(c, err);
  if (status == ATTCERT_OK) status = plot_output_write(c->options->plot, draw, c, err);
  if (status == ATTCERT_OK) status = summarise(c, err);
  return status == ATTCERT_OK ? job_verdict(&c->job, err) : status;
}

attcert_status sweep_curve_run(const cli_options *options, attcert_error *err) {
  curve_run c = {.options = options};
  attcert_status status = job_load(&c.job, options, err);
  if (status == ATTCERT_OK) status = run_loaded(&c, err);
  clear_rows(&c);
  job_clear(&c.job);
  return status;
}
