/* attcert robust --dataset: every input of a data set, a row each. */
#ifndef ATTCERT_CLI_DATASET_RUN_H
#define ATTCERT_CLI_DATASET_RUN_H

#include "cli/options/options.h"

/* ATTCERT_OK: every input has a row, none with an error. ATTCERT_INPUT: some input could not be read, which its row
 * says. ATTCERT_RESOURCE: some input has no row, for want of memory or as a signal came; the same command again goes on
 * there. */
attcert_status dataset_run(const cli_options *options, attcert_error *err);

#endif
