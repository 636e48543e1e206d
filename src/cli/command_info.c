/* attcert info: what is in a model folder, a weights file or an .npy file. */
#include "cli/commands.h"
#include "cli/facts.h"
#include "cli/output/output.h"

static void print_json(FILE *out, json_t *facts) {
  json_t *const root = json_pack("{s:s, s:s}", "schema", "attcert/info/1", "version", ATTCERT_VERSION);
  json_object_update(root, facts);
  json_dumpf(root, out, JSON_INDENT(2));
  fputc('\n', out);
  json_decref(root);
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  json_t *facts;
  output out;
  attcert_status status = facts_collect(&facts, options->operand, err);
  if (status != ATTCERT_OK) return status;
  status = output_open(&out, options->output, err);
  if (status == ATTCERT_OK) {
    (options->format == FORMAT_JSON ? print_json : facts_print_text)(out.stream, facts);
    status = output_close(&out, err);
  }
  json_decref(facts);
  return status;
}

const cli_command command_info = {
    .name = "info",
    .summary = "say what is in a model folder, a weights file or an .npy file",
    .operand = "FILE",
    .groups = OPTIONS_REPORT,
    .run = run,
};
