/* attcert: every sub-command, in one process. */
#include "cli/commands.h"
#include "cli/program.h"

static const cli_command *const commands[] = {&command_certify, &command_bounds,   &command_check,    &command_sweep,
                                              &command_worst,   &command_predict,  &command_gradient, &command_robust,
                                              &command_verify,  &command_spectrum, &command_vnnlib,   &command_info};

int main(int argc, char **argv) {
  return program_run(argc, argv, commands, sizeof commands / sizeof commands[0], NULL);
}
