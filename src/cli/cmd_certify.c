/* attcert certify: the enclosure of a layer's local Lipschitz constant, and the theory's bounds beside it. */
#include "cli/certification.h"
#include "cli/commands.h"

/* The bounds are a comparison: when memory does not reach for them the certificate stands without, and says so. */
static attcert_status add_bounds_if_possible(certification *c, attcert_error *err) {
  const attcert_status status = certification_add_bounds(c, 0, &c->bounds_missing);
  if (status == ATTCERT_RESOURCE) return ATTCERT_OK;
  *err = c->bounds_missing;
  return status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  certification c;
  attcert_status status = certification_load(&c, options, err);
  if (status == ATTCERT_OK) status = certification_run(&c, err);
  if (status == ATTCERT_OK) status = add_bounds_if_possible(&c, err);
  if (status == ATTCERT_OK) status = certification_report(&c, options, command_certify.name, NULL, err);
  if (status == ATTCERT_OK) status = certification_verdict(&c, err);
  certification_clear(&c);
  return status;
}

const cli_command command_certify = {
    .name = "certify",
    .summary = "enclose the local Lipschitz constant of a layer at an input",
    .groups = OPTIONS_LAYER | OPTIONS_RUN | OPTIONS_REPORT | OPTIONS_SAVE,
    .run = run,
};
