/* attcert check: someone else's estimate, and the vector it came from, against the certified enclosure. */
#include "cli/commands.h"
#include "cli/job.h"
#include "model/format/npy.h"

/* Their direction, of the input's shape; rows = 0 when none is given. */
static attcert_status read_direction(attcert_matrix *u, const job *j, const char *path, attcert_error *err) {
  *u = (attcert_matrix){0};
  if (path == NULL) return ATTCERT_OK;
  const attcert_status status = npy_read(u, NULL, path, err);
  if (status != ATTCERT_OK || (u->rows == j->source.x.rows && u->cols == j->source.x.cols)) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: a %d x %d vector, expected the input's shape %d x %d", path, u->rows,
                      u->cols, j->source.x.rows, j->source.x.cols);
}

/* Certifies ||J u|| / ||u||. */
static attcert_status add_direction(estimate_check *check, const job *j, const attcert_matrix *u, attcert_error *err) {
  if (u->rows == 0) return ATTCERT_OK;
  const attcert_status status =
      attcert_direction(check->direction_lo, check->direction_hi, &j->source.layer, &j->source.x, u, &j->options, err);
  check->has_direction = status == ATTCERT_OK;
  return status;
}

/* The direction comes first: if it is unusable, no enclosure is computed. */
static attcert_status judge(estimate_check *check, job *j, const attcert_matrix *u, double slack, attcert_error *err) {
  attcert_status status = add_direction(check, j, u, err);
  if (status == ATTCERT_OK) status = job_run(j, err);
  if (status == ATTCERT_OK) estimate_check_judge(check, j->certificate.lower, j->certificate.upper, slack);
  return status;
}

static attcert_status check_loaded(estimate_check *check, job *j, const cli_options *options, attcert_error *err) {
  attcert_matrix u;
  attcert_status status = read_direction(&u, j, options->vector, err);
  if (status == ATTCERT_OK) status = judge(check, j, &u, options->slack, err);
  attcert_matrix_clear(&u);
  if (status == ATTCERT_OK) status = job_report(j, options, command_check.name, check, err);
  if (status == ATTCERT_OK) status = job_verdict(j, err);
  return status == ATTCERT_OK && !check->consistent ? ATTCERT_NEGATIVE : status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  job j;
  estimate_check check;
  estimate_check_init(&check);
  attcert_status status = estimate_check_read(&check, options->estimate, err);
  if (status == ATTCERT_OK) {
    status = job_load(&j, options, err);
    if (status == ATTCERT_OK) status = check_loaded(&check, &j, options, err);
    job_clear(&j);
  }
  estimate_check_clear(&check);
  return status;
}

static const option_id required[] = {OPTION_ESTIMATE};

const cli_command command_check = {
    .name = "check",
    .summary = "place someone else's estimate inside, below or above the enclosure",
    .groups = OPTIONS_LAYER | OPTIONS_RUN | OPTIONS_CHECK | OPTIONS_REPORT | OPTIONS_SAVE,
    .required = required,
    .required_count = 1,
    .run = run,
};
