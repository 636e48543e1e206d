/* A program of sub-commands: finds the one that is named, parses its options, runs it, and says
 * in one line what went wrong. */
#ifndef ATTCERT_CLI_PROGRAM_H
#define ATTCERT_CLI_PROGRAM_H

#include "base/process_group.h"
#include "cli/options/options.h"

/* Returns the exit status. group: the processes that all run this with the same arguments, of which process 0 prints
 * and writes files; NULL: there is one. */
int program_run(int argc, char **argv, const cli_command *const *commands, int count,
                const attcert_process_group *group);

#endif
