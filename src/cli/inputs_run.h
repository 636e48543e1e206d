/* attcert certify at several inputs of one layer. */
#ifndef ATTCERT_CLI_INPUTS_RUN_H
#define ATTCERT_CLI_INPUTS_RUN_H

#include "cli/job.h"
#include "cli/source/source_inputs.h"

/* All that a report says of one job, by `one`; of each input in turn, the weights being read, and their norms enclosed,
 * once. Every input is read before the first is certified. What memory does not reach for leaves out its own input
 * alone. Returns the worst status that one input alone would have. */
attcert_status inputs_run(const cli_options *options, const source_inputs *inputs,
                          attcert_status (*one)(job *j, const cli_options *options, attcert_error *err),
                          attcert_error *err);

#endif
