/* attcert bounds: the bounds T1 - T10 of the theory, rounded outward, each with its ratio to the certified value. */
#include "cli/commands.h"
#include "cli/job.h"

static attcert_status run(const cli_options *options, attcert_error *err) {
  job j;
  attcert_status status = job_load(&j, options, err);
  if (status == ATTCERT_OK && options->given[OPTION_RADIUS_OF_INPUTS])
    status = run_layer_check_radius(&j.run, options->radius_of_inputs, err);
  if (status == ATTCERT_OK) status = job_run(&j, err);
  if (status == ATTCERT_OK) status = job_add_bounds(&j, options->radius_of_inputs, err);
  if (status == ATTCERT_OK) status = job_report(&j, options, command_bounds.name, NULL, err);
  if (status == ATTCERT_OK) status = job_verdict(&j, err);
  job_clear(&j);
  return status;
}

const cli_command command_bounds = {
    .name = "bounds",
    .summary = "evaluate the theory's bounds T1 - T10 beside the certified value",
    .groups = OPTIONS_LAYER | OPTIONS_RUN | OPTIONS_BOUNDS | OPTIONS_REPORT | OPTIONS_SAVE,
    .run = run,
};
