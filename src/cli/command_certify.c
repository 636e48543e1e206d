/* attcert certify: the enclosure of a layer's local Lipschitz constant, and the theory's bounds beside it. */
#include "cli/commands.h"
#include "cli/inputs_run.h"
#include "cli/job_interrupt.h"

/* Everything up to the report. */
static attcert_status certify(job *j, const cli_options *options, attcert_error *err) {
  job_interrupt watch;
  job_interrupt_start(&watch, j, options, command_certify.name);
  attcert_status status = job_ended(j, run_layer_certify_or_pointwise(&j->run, err));
  if (status == ATTCERT_OK) job_interrupt_certified(&watch);
  if (status == ATTCERT_OK && !options->no_bounds) status = job_add_bounds_if_possible(j, 0, err);
  if (status == ATTCERT_OK && options->given[OPTION_RADIUS]) status = job_ended(j, run_layer_add_ball(&j->run, err));
  job_interrupt_end(&watch);
  return status;
}

static attcert_status run_one(const cli_options *options, attcert_error *err) {
  job j;
  attcert_status status = job_load_function(&j, options, err);
  if (status == ATTCERT_OK) status = job_read_region(&j, options, err);
  if (status == ATTCERT_OK) status = certify(&j, options, err);
  if (status == ATTCERT_OK) status = job_finish(&j, options, command_certify.name, NULL, err);
  job_clear(&j);
  return status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  source_inputs inputs;
  attcert_status status = source_inputs_read(&inputs, options->input, err);
  if (status == ATTCERT_OK)
    status = inputs.count > 1 ? inputs_run(options, &inputs, certify, err) : run_one(options, err);
  source_inputs_clear(&inputs);
  return status;
}

const cli_command command_certify = {
    .name = "certify",
    .summary = "enclose the local Lipschitz constant of a layer at an input",
    .groups =
        OPTIONS_LAYER | OPTIONS_RUN | OPTIONS_FUNCTION | OPTIONS_CERTIFY | OPTIONS_BALL | OPTIONS_REPORT | OPTIONS_SAVE,
    .run = run,
};
