/* attcert sweep --radius: the ball's enclosure around one input, radius after radius. */
#ifndef ATTCERT_CLI_SWEEP_CURVE_RUN_H
#define ATTCERT_CLI_SWEEP_CURVE_RUN_H

#include "cli/options/options.h"

/* The file appears when all its rows are there. Errors: those of the commands. */
attcert_status sweep_curve_run(const cli_options *options, attcert_error *err);

#endif
