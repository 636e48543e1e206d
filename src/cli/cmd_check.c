/* attcert check: someone else's estimate, and the vector it came from, against the certified enclosure. */
#include "cli/certification.h"
#include "cli/commands.h"
#include "model/npy.h"

/* Certifies ||J u|| / ||u|| for their direction u. */
static attcert_status add_direction(estimate_check *check, const certification *c, const char *path,
                                    attcert_error *err) {
  attcert_matrix u;
  attcert_status status = npy_read(&u, path, err);
  if (status != ATTCERT_OK) return status;
  if (u.rows != c->source.x.rows || u.cols != c->source.x.cols)
    status = attcert_fail(err, ATTCERT_INPUT, "%s: a %d x %d vector, expected the input's shape %d x %d", path, u.rows,
                          u.cols, c->source.x.rows, c->source.x.cols);
  else
    status = attcert_direction(check->direction_lo, check->direction_hi, &c->source.layer, &c->source.x, &u,
                               &c->options, err);
  attcert_matrix_clear(&u);
  check->has_direction = status == ATTCERT_OK;
  return status;
}

static attcert_status judge(estimate_check *check, certification *c, const cli_options *options, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  estimate_check_judge(check, c->certificate.lower, c->certificate.upper, options->slack);
  if (options->vector != NULL) status = add_direction(check, c, options->vector, err);
  progress_line_end(&c->progress);
  if (status == ATTCERT_OK) status = certification_report(c, options, command_check.name, check, err);
  if (status == ATTCERT_OK) status = certification_verdict(c, err);
  return status == ATTCERT_OK && !check->consistent ? ATTCERT_NEGATIVE : status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  certification c;
  estimate_check check;
  estimate_check_init(&check);
  attcert_status status = estimate_check_read(&check, options->estimate, err);
  if (status == ATTCERT_OK) {
    status = certification_run(&c, options, err);
    if (status == ATTCERT_OK) status = judge(&check, &c, options, err);
    certification_clear(&c);
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
