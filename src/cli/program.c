#include "cli/program.h"

#include "base/environment.h"
#include "cli/help.h"
#include "cli/options/option_paths.h"
#include "cli/options/option_suggest.h"
#include "cli/out_of_memory.h"
#include "cli/signals.h"

#include <stdio.h>
#include <string.h>

/* The commands there are, and who runs them. */
typedef struct {
  const cli_command *const *commands;
  int count;
  const attcert_process_group *group;
} program;

/* One line, by one process: attcert_fail keeps control characters out of messages. */
static void print_error(const program *p, const attcert_error *err, const char *hint) {
  if (process_group_reports(p->group)) fprintf(stderr, "attcert: %s%s\n", err->message, hint);
}

static const cli_command *find_command(const program *p, const char *name) {
  for (int i = 0; i < p->count; i++) {
    if (strcmp(p->commands[i]->name, name) == 0) return p->commands[i];
  }
  return NULL;
}

/* The status of a run that printed to standard output: what could not be written was not said. */
static attcert_status flushed(const program *p) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return ATTCERT_OK;
  attcert_error err;
  attcert_fail(&err, ATTCERT_RESOURCE, "standard output: cannot write");
  print_error(p, &err, "");
  return err.status;
}

static attcert_status run_command(const program *p, const cli_command *command, int argc, char **argv) {
  cli_options options;
  char hint[64];
  attcert_error err = {.message = ""};
  attcert_status status = options_parse(&options, command, argc, argv, &err);
  if (status != ATTCERT_OK) {
    snprintf(hint, sizeof hint, "; see attcert %s --help", command->name);
    print_error(p, &err, hint);
    return status;
  }
  if (options.help) {
    help_command(stdout, command);
    return flushed(p);
  }
  options.group = p->group;
  status = process_group_allreduce_status(p->group, option_paths_check(&options, &err), &err);
  if (status == ATTCERT_OK)
    status = process_group_allreduce_status(p->group, out_of_memory_check_limit(&options.threads, &err), &err);
  if (status == ATTCERT_OK) status = command->run(&options, &err);
  const bool failed = status > ATTCERT_NEGATIVE && status != ATTCERT_UNDECIDED;
  if (failed || err.status == ATTCERT_NEGATIVE) print_error(p, &err, "");
  return failed || flushed(p) == ATTCERT_OK ? status : ATTCERT_RESOURCE;
}

static attcert_status reject_command(const program *p, const char *name) {
  enum { MOST = 16 };
  const char *known[MOST];
  char names[128] = "", suggestion[OPTION_SUGGESTION_SIZE];
  attcert_error err;
  const int count = p->count < MOST ? p->count : MOST;
  for (int i = 0; i < count; i++) {
    const size_t used = strlen(names);
    known[i] = p->commands[i]->name;
    snprintf(names + used, sizeof names - used, " %s", known[i]);
  }
  attcert_fail(&err, ATTCERT_INPUT, "unknown command '%.60s'%s: expected one of%s", name,
               option_suggest(suggestion, name, "", known, count), names);
  print_error(p, &err, "; see attcert --help");
  return err.status;
}

static attcert_status dispatch(const program *p, int argc, char **argv) {
  const char *const name = argc > 1 ? argv[1] : "";
  const bool help = strcmp(name, "help") == 0;
  if (argc < 2 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (help && argc == 2)) {
    if (process_group_reports(p->group)) help_program(stdout, p->commands, p->count);
    return flushed(p);
  }
  if (strcmp(name, "--version") == 0) {
    puts("attcert " ATTCERT_VERSION);
    return flushed(p);
  }
  const char *const wanted = help ? argv[2] : name;
  const cli_command *const command = find_command(p, wanted);
  if (command == NULL) return reject_command(p, wanted);
  if (!help) return run_command(p, command, argc - 1, argv + 1);
  if (process_group_reports(p->group)) help_command(stdout, command);
  return flushed(p);
}

/* FNV-1a of the arguments, each with its NUL. */
static uint64_t arguments_hash(int argc, char **argv) {
  uint64_t hash = 14695981039346656037u;
  for (int i = 1; i < argc; i++) {
    const char *byte = argv[i];
    do hash = (hash ^ (unsigned char)*byte) * 1099511628211u;
    while (*byte++ != '\0');
  }
  return hash;
}

/* With other arguments a process would do something else, and the rest would wait for it. */
static attcert_status agree_on_arguments(const program *p, int argc, char **argv) {
  const uint64_t hash = arguments_hash(argc, argv);
  const bool least = process_group_allreduce_min(p->group, hash) == hash;
  const bool largest = process_group_allreduce_min(p->group, ~hash) == ~hash;
  attcert_error err = {.message = ""};
  attcert_status status = ATTCERT_OK;
  if (!least || !largest)
    status = attcert_fail(&err, ATTCERT_INPUT, "the processes were given different arguments, expected the same");
  status = process_group_allreduce_status(p->group, status, &err);
  if (status != ATTCERT_OK) print_error(p, &err, "");
  return status;
}

int program_run(int argc, char **argv, const cli_command *const *commands, int count,
                const attcert_process_group *group) {
  const program p = {commands, count, group};
  environment before; /* a library that was loaded with the program may have set another than the default one */
  attcert_error err = {.message = ""};
  signals_install();
  out_of_memory_prepare();
  attcert_status status = process_group_allreduce_status(group, environment_enter(&before, &err), &err);
  if (status != ATTCERT_OK)
    print_error(&p, &err, "");
  else
    status = agree_on_arguments(&p, argc, argv);
  return (int)(status == ATTCERT_OK ? dispatch(&p, argc, argv) : status);
}
