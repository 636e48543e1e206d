/* attcert check: someone else's estimate, and the vector it came from, against the certified enclosure. */
#include "cli/commands.h"
#include "cli/job.h"
#include "model/format/matrix_file.h"

/* Their direction, of the input's shape; rows = 0 when none is given. */
static attcert_status read_direction(attcert_matrix *u, const job *j, const char *path, attcert_error *err) {
  *u = (attcert_matrix){0};
  if (path == NULL) return ATTCERT_OK;
  const attcert_status status = matrix_file_read(u, NULL, path, err);
  if (status != ATTCERT_OK || (u->rows == j->source.x.rows && u->cols == j->source.x.cols)) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: a %d x %d vector, expected the input's shape %d x %d", path, u->rows,
                      u->cols, j->source.x.rows, j->source.x.cols);
}

static attcert_status check_loaded(estimate_check *check, job *j, const cli_options *options, attcert_error *err) {
  attcert_matrix u;
  attcert_status status = read_direction(&u, j, options->vector, err);
  if (options->given[OPTION_DTYPE]) check->dtype = &float_formats[options->dtype];
  if (status == ATTCERT_OK) status = job_ended(j, run_layer_check(&j->run, check, &u, options->slack, err));
  attcert_matrix_clear(&u);
  if (status == ATTCERT_OK) status = job_finish(j, options, command_check.name, check, err);
  return status == ATTCERT_OK && !check->consistent ? ATTCERT_NEGATIVE : status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  job j;
  estimate_check check;
  estimate_check_init(&check);
  attcert_status status = estimate_check_read(&check, options->estimate, err);
  if (status == ATTCERT_OK) {
    status = job_load_function(&j, options, err);
    if (status == ATTCERT_OK) status = check_loaded(&check, &j, options, err);
    job_clear(&j);
  }
  estimate_check_clear(&check);
  return status;
}

const cli_command command_check = {
    .name = "check",
    .summary = "place someone else's estimate inside, below or above the enclosure",
    .groups = OPTIONS_LAYER | OPTIONS_RUN | OPTIONS_FUNCTION | OPTIONS_CHECK | OPTIONS_REPORT | OPTIONS_SAVE,
    .required = {OPTION_ESTIMATE},
    .run = run,
};
