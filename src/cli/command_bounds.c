/* attcert bounds: the bounds T1 - T10 of the theory, rounded outward, each with its ratio to the certified value. */
#include "cli/commands.h"
#include "cli/job.h"

static attcert_status run(const cli_options *options, attcert_error *err) {
  const double radius = options->radius_of_inputs;
  job j;
  attcert_status status = job_load_function(&j, options, err);
  if (status == ATTCERT_OK && options->given[OPTION_RADIUS_OF_INPUTS])
    status = run_layer_check_radius(&j.run, radius, err);
  if (status == ATTCERT_OK) status = job_ended(&j, run_layer_certify(&j.run, err));
  if (status == ATTCERT_OK) status = job_ended(&j, run_layer_add_bounds(&j.run, radius, err));
  if (status == ATTCERT_OK) status = job_finish(&j, options, command_bounds.name, NULL, err);
  job_clear(&j);
  return status;
}

const cli_command command_bounds = {
    .name = "bounds",
    .summary = "evaluate the theory's bounds T1 - T10 beside the certified value",
    .groups = OPTIONS_LAYER | OPTIONS_MASK | OPTIONS_RUN | OPTIONS_BOUNDS | OPTIONS_REPORT | OPTIONS_SAVE,
    .run = run,
};
