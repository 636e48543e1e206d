/* Help texts, from the tables of commands and options. */
#include "cli/help.h"

#include <string.h>

enum { HELP_COLUMN = 28 };

static const char exit_statuses[] =
    "Exit status: 0 certified or consistent; 1 refuted (estimate, theory, robustness) or tolerance not met;\n"
    "2 bad usage or input; 3 out of memory or disk, or interrupted (with the best valid bound so far printed, when\n"
    "there is one); 4 undecided; 5 the machine or a library computes wrongly, no result.\n";

void help_program(FILE *out, const cli_command *const *commands, int count) {
  fputs("attcert: rigorous two-sided enclosures of the local Lipschitz constant of an attention layer.\n\n"
        "usage: attcert COMMAND [OPTIONS]\n\n",
        out);
  for (int i = 0; i < count; i++) fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  fprintf(out, "\n  attcert help COMMAND, attcert COMMAND --help   the options of a command\n  attcert --version\n\n%s",
          exit_statuses);
}

/* One way to call the command: what precedes the options it requires. */
static void put_form(FILE *out, const cli_command *command, const char *lead, const char *form) {
  fprintf(out, "%s attcert %s%s", lead, command->name, form);
  for (const option_id *id = command->required; *id != OPTION_NONE; id++) {
    const option_row *const row = options_row(command, *id);
    fprintf(out, " --%s %s", row->name, row->argument);
  }
  fputs(" [OPTIONS]\n", out);
}

static void put_synopsis(FILE *out, const cli_command *command) {
  static const char *const forms[] = {" --weights FILE --input X.npy",
                                      " --model MODEL --layer L --text FILE --tokens N",
                                      " --model MODEL --layer L --input X.npy"};
  if (command->operand != NULL) {
    fprintf(out, "usage: attcert %s %s [OPTIONS]\n", command->name, command->operand);
  } else if ((command->groups & (OPTIONS_NETWORK | OPTIONS_PREDICT)) != 0) {
    const char *const ball = (command->groups & OPTIONS_ROBUST) != 0 ? " --radius EPS | --search" : "";
    fprintf(out, "usage: attcert %s --model MODEL --hidden X.npy%s [OPTIONS]\n", command->name, ball);
    fprintf(out, "       attcert %s --model MODEL --text FILE%s [OPTIONS]\n", command->name, ball);
    fprintf(out, "       attcert %s --onnx NET.onnx --input X.npy%s [OPTIONS]\n", command->name, ball);
  } else if ((command->groups & OPTIONS_WEIGHTS) == 0) {
    put_form(out, command, "usage:", "");
  } else if ((command->groups & OPTIONS_INPUT) == 0) {
    put_form(out, command, "usage:", " --weights FILE");
    put_form(out, command, "      ", " --model MODEL --layer L");
  } else {
    for (int i = 0; i < 3; i++) put_form(out, command, i == 0 ? "usage:" : "      ", forms[i]);
  }
}

static void put_option(FILE *out, const option_row *row) {
  char form[80];
  snprintf(form, sizeof form, "  --%s%s%s", row->name, row->argument != NULL ? " " : "",
           row->argument != NULL ? row->argument : "");
  if (strlen(form) < HELP_COLUMN)
    fprintf(out, "%-*s%s\n", HELP_COLUMN, form, row->help);
  else
    fprintf(out, "%s\n%*s%s\n", form, HELP_COLUMN, "", row->help);
}

void help_command(FILE *out, const cli_command *command) {
  fprintf(out, "attcert %s: %s.\n\n", command->name, command->summary);
  put_synopsis(out, command);
  fputc('\n', out);
  for (const option_row *row = option_table; row->name != NULL; row++) {
    if (options_takes(command, row)) put_option(out, row);
  }
  fprintf(out, "\n%s", exit_statuses);
}
