/* attcert: finds the sub-command, parses its options, runs it, and says in one line what went wrong. */
#include "cli/commands.h"
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

static const cli_command *const commands[] = {&command_certify, &command_bounds, &command_check,
                                              &command_sweep,   &command_worst,  &command_info};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* One line: attcert_fail keeps control characters out of messages. */
static void print_error(const attcert_error *err, const char *hint) {
  fprintf(stderr, "attcert: %s%s\n", err->message, hint);
}

static const cli_command *find_command(const char *name) {
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  }
  return NULL;
}

/* The status of a run that printed to standard output: what could not be written was not said. */
static attcert_status flushed(void) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return ATTCERT_OK;
  attcert_error err;
  attcert_fail(&err, ATTCERT_RESOURCE, "standard output: cannot write");
  print_error(&err, "");
  return err.status;
}

static attcert_status run_command(const cli_command *command, int argc, char **argv) {
  cli_options options;
  char hint[64];
  attcert_error err = {.message = ""};
  attcert_status status = cli_options_parse(&options, command, argc, argv, &err);
  if (status != ATTCERT_OK) {
    snprintf(hint, sizeof hint, "; see attcert %s --help", command->name);
    print_error(&err, hint);
    return status;
  }
  if (options.help) {
    help_command(stdout, command);
    return flushed();
  }
  status = command->run(&options, &err);
  if (status > ATTCERT_NEGATIVE || err.status == ATTCERT_NEGATIVE) print_error(&err, "");
  return status;
}

static attcert_status reject_command(const char *name) {
  char names[128] = "";
  attcert_error err;
  for (int i = 0; i < COMMAND_COUNT; i++) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, " %s", commands[i]->name);
  }
  attcert_fail(&err, ATTCERT_INPUT, "unknown command '%.60s': expected one of%s", name, names);
  print_error(&err, "; see attcert --help");
  return err.status;
}

static attcert_status dispatch(int argc, char **argv) {
  const char *const name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    help_program(stdout, commands, COMMAND_COUNT);
    return flushed();
  }
  if (strcmp(name, "--version") == 0) {
    puts("attcert " ATTCERT_VERSION);
    return flushed();
  }
  const cli_command *const command = find_command(name);
  return command != NULL ? run_command(command, argc - 1, argv + 1) : reject_command(name);
}

int main(int argc, char **argv) {
  return (int)dispatch(argc, argv);
}
