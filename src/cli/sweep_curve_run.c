#include "cli/sweep_curve_run.h"

#include "cli/job.h"
#include "cli/output/output.h"
#include "cli/output/plot_output.h"
#include "report/sweep/sweep_curve.h"
#include "report/sweep/sweep_header.h"

/* The rows, each from the certificate. */
static attcert_status add_rows(sweep_curve *c, job *j, const sweep_radii *radii, attcert_error *err) {
  attcert_status status = sweep_curve_reserve(c, radii->count, err);
  if (status == ATTCERT_OK) status = job_run_whole(j, err);
  for (int i = 0; i < radii->count && status == ATTCERT_OK; i++) {
    j->run.region.radius = sweep_radii_at(radii, i);
    status = job_ended(j, run_layer_add_ball(&j->run, err));
    if (status == ATTCERT_OK && !j->run.has_ball) {
      *err = j->run.ball_missing;
      status = ATTCERT_RESOURCE;
    }
    if (status == ATTCERT_OK) sweep_curve_add(c, j->run.region.radius, &j->run.ball);
  }
  return status;
}

static attcert_status write_rows(sweep_curve *c, const job *j, const cli_options *o, attcert_error *err) {
  const sweep_header sweep = {.schema = "attcert/sweep-radius/1",
                              .bounds = true,
                              .ball = ball_region_kind(&j->run.region)->name,
                              .words = o->words};
  const attcert_status status = sweep_header_write(&c->header, &j->source.subject, &j->run.options, &sweep, err);
  return status == ATTCERT_OK ? output_write(o->output, sweep_curve_write, false, c, err) : status;
}

attcert_status sweep_curve_run(const cli_options *o, attcert_error *err) {
  job j;
  sweep_curve c = {.subject = &j.source.subject, .point = &j.run.certificate, .path = o->output};
  attcert_status status = job_load(&j, o, err);
  job_avoid_probability(&j, o);
  if (status == ATTCERT_OK) status = job_read_region(&j, o, err);
  if (status == ATTCERT_OK) status = plot_output_probe(o->plot, err);
  if (status == ATTCERT_OK) status = add_rows(&c, &j, &o->radius, err);
  if (status == ATTCERT_OK) status = write_rows(&c, &j, o, err);
  if (status == ATTCERT_OK) status = plot_output_write(o->plot, sweep_curve_plot, &c, err);
  if (status == ATTCERT_OK) status = output_write(NULL, sweep_curve_summary, false, &c, err);
  if (status == ATTCERT_OK) status = run_layer_verdict(&j.run, err);
  sweep_curve_clear(&c);
  job_clear(&j);
  return status;
}
