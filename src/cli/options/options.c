/* Parses a command's options with getopt_long, from the rows of the table that the command takes. */
#include "cli/options/options.h"

#include "ball/region/ball_kind.h"
#include "cli/options/option_suggest.h"
#include "robust/choices.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --norm into --ball: the kind that both name. */
static attcert_status settle_ball(cli_options *options, attcert_error *err) {
  ball_kind_id kind = (ball_kind_id)options->ball;
  const char *const norm = options->given[OPTION_NORM] ? ball_norm_names[options->norm] : NULL;
  const attcert_status status = ball_kind_take_norm(&kind, norm, err);
  options->ball = (int)kind;
  return status;
}

/* NAME=FILE, unless there is a file of all that name. */
static attcert_status settle_inputs(cli_options *o, attcert_error *err) {
  if (o->constants.count > 0 && !o->given[OPTION_ONNX])
    return attcert_fail(err, ATTCERT_INPUT, "--input is given twice, expected once");
  for (int k = 0; k < o->constants.count; k++) {
    const char *const text = o->constants.text[k], *const sign = strchr(text, '=');
    if (sign == NULL || sign == text)
      return attcert_fail(err, ATTCERT_INPUT, "--input '%s': expected NAME=FILE for each input but the first", text);
  }
  const char *const sign = o->given[OPTION_ONNX] && o->input != NULL ? strchr(o->input, '=') : NULL;
  if (sign == NULL || sign == o->input || access(o->input, F_OK) == 0) return ATTCERT_OK;
  o->input_name = (int)(sign - o->input);
  o->input = sign + 1;
  return ATTCERT_OK;
}

/* What getopt_long returns for the table's first row: beyond all characters. */
enum { FIRST_ROW = 256 };

bool options_takes(const cli_command *command, const option_row *row) {
  return ((unsigned)row->group & (command->groups | OPTIONS_HELP)) != 0;
}

const option_row *options_row(const cli_command *command, option_id id) {
  for (const option_row *row = option_table; row->name != NULL; row++) {
    if (row->id == id && options_takes(command, row)) return row;
  }
  return NULL;
}

/* The command's rows as getopt_long wants them. */
static void long_options(struct option list[OPTION_ROWS], const cli_command *command) {
  int count = 0;
  for (int i = 0; option_table[i].name != NULL; i++) {
    const option_row *const row = &option_table[i];
    if (options_takes(command, row))
      list[count++] =
          (struct option){row->name, row->argument != NULL ? required_argument : no_argument, NULL, FIRST_ROW + i};
  }
  list[count] = (struct option){0};
}

static attcert_status take_further(cli_options *options, const option_row *row, const char *text, attcert_error *err) {
  option_texts *const further = (option_texts *)((char *)options + row->further);
  if (further->count == OPTION_MOST_FURTHER)
    return attcert_fail(err, ATTCERT_INPUT, "--%s is given %d times, expected %d at most", row->name,
                        OPTION_MOST_FURTHER + 2, OPTION_MOST_FURTHER + 1);
  further->text[further->count++] = text;
  return ATTCERT_OK;
}

static attcert_status parse_option(cli_options *options, const option_row *row, const char *text, attcert_error *err) {
  if (options->given[row->id] && row->further > 0) return take_further(options, row, text, err);
  if (options->given[row->id]) return attcert_fail(err, ATTCERT_INPUT, "--%s is given twice, expected once", row->name);
  options->given[row->id] = true;
  options->argument[row->id] = text;
  return row->parse((char *)options + row->field, row, text, err);
}

/* The text behind an option's own, which getopt_long does not know of. */
static attcert_status parse_second(cli_options *options, const option_row *row, int argc, char **argv,
                                   attcert_error *err) {
  if (row->second == 0) return ATTCERT_OK;
  if (optind >= argc || argv[optind][0] == '-')
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected %s after it", row->name, row->argument);
  return row->parse((char *)options + row->second, row, argv[optind++], err);
}

/* Whether getopt_long took the option by the whole of its name: it also takes the beginning of one, which may be the
 * name of another command's option. text: the option as it was given, perhaps with =VALUE. */
static bool is_whole(const char *text, const option_row *row) {
  const size_t length = strlen(row->name);
  return strncmp(text, "--", 2) != 0 /* -h */ ||
         (strncmp(text + 2, row->name, length) == 0 && (text[2 + length] == '\0' || text[2 + length] == '='));
}

/* The row that getopt_long found; NULL: none. */
static const option_row *found_row(const cli_command *command, int code) {
  if (code == 'h') return options_row(command, OPTION_HELP);
  return code >= FIRST_ROW ? &option_table[code - FIRST_ROW] : NULL;
}

/* A name that is unknown or not a whole one. */
static attcert_status refuse(const cli_command *command, const char *text, attcert_error *err) {
  const char *names[OPTION_ROWS];
  char name[64], suggestion[OPTION_SUGGESTION_SIZE];
  const char *const wrong = text + strspn(text, "-");
  int count = 0;
  for (const option_row *row = option_table; row->name != NULL; row++) {
    if (options_takes(command, row)) names[count++] = row->name;
  }
  snprintf(name, sizeof name, "%.*s", (int)strcspn(wrong, "="), wrong);
  return attcert_fail(err, ATTCERT_INPUT, "%s does not take the option '%s'%s", command->name, text,
                      option_suggest(suggestion, name, "--", names, count));
}

static attcert_status take_operand(cli_options *options, const cli_command *command, int argc, char **argv,
                                   attcert_error *err) {
  const int taken = command->operand == NULL ? 0 : command->operands > 0 ? command->operands : 1;
  if (argc - optind > taken)
    return attcert_fail(err, ATTCERT_INPUT, "unexpected argument '%s': %s takes %s", argv[optind + taken],
                        command->name,
                        taken == 0   ? "options only"
                        : taken == 1 ? "one file"
                                     : "two files");
  if (argc - optind < taken)
    return attcert_fail(err, ATTCERT_INPUT, "%s: expected %s", command->name, command->operand);
  if (taken > 0) options->operand = argv[optind];
  if (taken > 1) options->second_operand = argv[optind + 1];
  return ATTCERT_OK;
}

attcert_status options_parse(cli_options *options, const cli_command *command, int argc, char **argv,
                             attcert_error *err) {
  *options = (cli_options){.head = HEADS_ALL,
                           .sequences = DEFAULT_SEQUENCES,
                           .starts = DEFAULT_STARTS,
                           .steps = DEFAULT_STEPS,
                           .words = "all",
                           .relative = ROBUST_RELATIVE,
                           .attack = ROBUST_ATTACK,
                           .ulp = ROBUST_ULP,
                           .enumerate = ROBUST_ENUMERATE,
                           .length = DEFAULT_LENGTH,
                           .samples = DEFAULT_SAMPLES,
                           .top = DEFAULT_TOP};
  attcert_options defaults;
  attcert_options_default(&defaults);
  options->engine = (int)defaults.engine;
  options->precision = defaults.precision;
  options->failure = defaults.failure;

  struct option list[OPTION_ROWS];
  long_options(list, command);
  optind = 0; /* from the beginning, whoever parsed before */
  opterr = 0; /* getopt stays silent: the message is ours */
  int code;
  while ((code = getopt_long(argc, argv, ":h", list, NULL)) != -1) {
    const bool missing = code == ':', apart = code != '?' && !missing && optarg == argv[optind - 1];
    const option_row *const row = found_row(command, missing ? optopt : code);
    const char *const text = argv[apart ? optind - 2 : optind - 1];
    if (row == NULL || !is_whole(text, row)) return refuse(command, text, err);
    if (missing) return attcert_fail(err, ATTCERT_INPUT, "--%s: expected %s after it", row->name, row->argument);
    attcert_status status = parse_option(options, row, optarg, err);
    if (status == ATTCERT_OK) status = parse_second(options, row, argc, argv, err);
    if (status != ATTCERT_OK) return status;
  }
  if (options->help) return ATTCERT_OK;
  attcert_status status = take_operand(options, command, argc, argv, err);
  if (status == ATTCERT_OK) status = option_rules_check(options, command, err);
  if (status == ATTCERT_OK) status = settle_inputs(options, err);
  return status == ATTCERT_OK ? settle_ball(options, err) : status;
}
