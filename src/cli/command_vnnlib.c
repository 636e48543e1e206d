/* attcert vnnlib: the answer to a VNN-LIB question, as the competition's harness reads it. */
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/output/output.h"
#include "vnnlib/vnnlib_cases.h"

#include <math.h>

static const char *const names[] = {[VNNLIB_UNKNOWN] = "unknown", [VNNLIB_UNSAT] = "unsat", [VNNLIB_SAT] = "sat"};

typedef struct {
  const vnnlib_question *question;
  const vnnlib_answer *answer;
  bool late; /* the time was up */
} answer_text;

/* sat with ((X_0 x) .. (Y_0 y) ..). */
static void write_answer(FILE *out, bool json, const void *facts) {
  const answer_text *const t = facts;
  const vnnlib_answer *const a = t->answer;
  (void)json;
  fprintf(out, "%s\n", t->late ? "timeout" : names[a->verdict]);
  for (int k = 0; k < t->question->inputs && a->verdict == VNNLIB_SAT; k++)
    fprintf(out, "%s(X_%d %.17g)\n", k == 0 ? "(" : "", k, a->input[k]);
  for (int k = 0; k < t->question->outputs && a->verdict == VNNLIB_SAT; k++)
    fprintf(out, "(Y_%d %.17g)%s\n", k, a->output[k], k == t->question->outputs - 1 ? ")" : "");
}

/* Ends the run when the time is up. */
static int end_in_time(void *context, const char *stage, double done) {
  const double *const end = context;
  (void)stage;
  (void)done;
  return clock_seconds() > *end;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  double end = options->timeout > 0.0 ? clock_seconds() + options->timeout : INFINITY;
  vnnlib_question question = {0};
  vnnlib_answer answer = {0};
  attcert_status status = output_probe(options->output, err);
  if (status == ATTCERT_OK) status = vnnlib_question_read(&question, options->second_operand, err);
  const vnnlib_options how = {
      .attack = options->attack, .memory = options->memory_limit, .progress = end_in_time, .progress_context = &end};
  if (status == ATTCERT_OK) status = vnnlib_cases_answer(&answer, options->operand, &question, &how, err);
  const bool late = status == ATTCERT_CANCELLED;
  const answer_text text = {&question, &answer, late};
  if (status == ATTCERT_OK || late) status = output_write(options->output, write_answer, false, &text, err);
  vnnlib_answer_clear(&answer);
  vnnlib_question_clear(&question);
  return status;
}

const cli_command command_vnnlib = {
    .name = "vnnlib",
    .summary = "answer a VNN-LIB question about an ONNX network: sat, unsat or unknown",
    .operand = "NET.onnx PROP.vnnlib",
    .operands = 2,
    .groups = OPTIONS_VNNLIB | OPTIONS_OUTPUT,
    .run = run,
};
