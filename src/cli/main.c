/* attcert: every sub-command, in one process. */
#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char **argv) {
  return program_run(argc, argv, cli_commands, CLI_COMMANDS, NULL);
}
