/* The sub-commands: the list of all, in the order of the help, and each by name. */
#ifndef ATTCERT_CLI_COMMANDS_H
#define ATTCERT_CLI_COMMANDS_H

#include "cli/options/options.h"

extern const cli_command command_certify, command_bounds, command_check, command_sweep, command_worst, command_info,
    command_gradient, command_predict, command_robust, command_spectrum, command_verify, command_vnnlib;

enum { CLI_COMMANDS = 12 };
extern const cli_command *const cli_commands[CLI_COMMANDS];

#endif
