/* Parses a command's options with getopt_long, from the rows of the table that the command takes. */
#include "cli/options/options.h"

#include "cli/options/option_suggest.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

bool options_command_takes(const cli_command *command, option_id id) {
  return ((unsigned)option_table[id].group & (command->groups | OPTIONS_HELP)) != 0;
}

/* The command's rows as getopt_long wants them; val is the option_id. */
static void long_options(struct option list[OPTION_COUNT + 1], const cli_command *command) {
  int count = 0;
  for (int id = 0; id < OPTION_COUNT; id++) {
    const option_row *const row = &option_table[id];
    if (options_command_takes(command, (option_id)id))
      list[count++] = (struct option){row->name, row->argument != NULL ? required_argument : no_argument, NULL, id};
  }
  list[count] = (struct option){0};
}

static attcert_status parse_option(cli_options *options, int id, const char *text, attcert_error *err) {
  const option_row *const row = &option_table[id];
  if (options->given[id]) return attcert_fail(err, ATTCERT_INPUT, "--%s is given twice, expected once", row->name);
  options->given[id] = true;
  return row->parse((char *)options + row->field, row, text, err);
}

/* Whether getopt_long took the option by the whole of its name: it also takes the beginning of one, which may be the
 * name of another command's option. text: the option as it was given, perhaps with =VALUE. */
static bool is_whole(const char *text, const option_row *row) {
  const size_t length = strlen(row->name);
  return strncmp(text, "--", 2) != 0 /* -h */ ||
         (strncmp(text + 2, row->name, length) == 0 && (text[2 + length] == '\0' || text[2 + length] == '='));
}

/* What is no option: a required value that is missing (result ':'), or a name that is unknown or not a whole one. */
static attcert_status explain(int result, const cli_command *command, const char *text, attcert_error *err) {
  char suggestion[OPTION_SUGGESTION_SIZE];
  if (result == ':' && optopt >= 0 && optopt < OPTION_COUNT && is_whole(text, &option_table[optopt]))
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected %s after it", option_table[optopt].name,
                        option_table[optopt].argument);
  return attcert_fail(err, ATTCERT_INPUT, "%s does not take the option '%s'%s", command->name, text,
                      option_suggest_option(suggestion, text, command));
}

static attcert_status take_operand(cli_options *options, const cli_command *command, int argc, char **argv,
                                   attcert_error *err) {
  const int taken = command->operand != NULL ? 1 : 0;
  if (argc - optind > taken)
    return attcert_fail(err, ATTCERT_INPUT, "unexpected argument '%s': %s takes %s", argv[optind + taken],
                        command->name, command->operand != NULL ? "one file" : "options only");
  if (argc - optind < taken)
    return attcert_fail(err, ATTCERT_INPUT, "%s: expected %s", command->name, command->operand);
  if (taken == 1) options->operand = argv[optind];
  return ATTCERT_OK;
}

attcert_status options_parse(cli_options *options, const cli_command *command, int argc, char **argv,
                             attcert_error *err) {
  *options = (cli_options){.head = HEADS_ALL,
                           .sequences = DEFAULT_SEQUENCES,
                           .starts = DEFAULT_STARTS,
                           .steps = DEFAULT_STEPS,
                           .words = "all",
                           .relative = 1e-2,
                           .attack = DEFAULT_ATTACK,
                           .ulp = DEFAULT_ULP,
                           .length = DEFAULT_LENGTH,
                           .samples = DEFAULT_SAMPLES};
  attcert_options defaults;
  attcert_options_default(&defaults);
  options->engine = (int)defaults.engine;
  options->precision = defaults.precision;

  struct option list[OPTION_COUNT + 1];
  long_options(list, command);
  opterr = 0; /* getopt stays silent: the message is ours */
  int id;
  while ((id = getopt_long(argc, argv, ":h", list, NULL)) != -1) {
    const bool unread = id == '?' || id == ':', apart = !unread && optarg == argv[optind - 1];
    const char *const text = argv[apart ? optind - 2 : optind - 1];
    if (id == 'h') id = OPTION_HELP;
    if (unread || !is_whole(text, &option_table[id])) return explain(id, command, text, err);
    const attcert_status status = parse_option(options, id, optarg, err);
    if (status != ATTCERT_OK) return status;
  }
  if (options->help) return ATTCERT_OK;
  const attcert_status status = take_operand(options, command, argc, argv, err);
  return status != ATTCERT_OK ? status : option_rules_check(options, command, err);
}
