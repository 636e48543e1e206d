#include "cli/commands.h"

const cli_command *const cli_commands[CLI_COMMANDS] = {
    &command_certify,  &command_bounds, &command_check,  &command_sweep,    &command_worst,  &command_predict,
    &command_gradient, &command_robust, &command_verify, &command_spectrum, &command_vnnlib, &command_info};
