/* What --help prints. */
#ifndef ATTCERT_CLI_HELP_H
#define ATTCERT_CLI_HELP_H

#include "cli/options/options.h"

#include <stdio.h>

void help_program(FILE *out, const cli_command *const *commands, int count);
void help_command(FILE *out, const cli_command *command);

#endif
