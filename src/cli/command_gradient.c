/* attcert gradient: the margin of a whole network at an input and the norm of its gradient, enclosed. */
#include "base/clock.h"
#include "base/progress_line.h"
#include "cli/commands.h"
#include "cli/output/output.h"
#include "cli/source/network_source.h"
#include "report/robust/robust_report.h"

#include <unistd.h>

static attcert_status enclose(robust_gradient *g, const network_source *s, attcert_error *err) {
  progress_line line;
  progress_line_start(&line, stderr, isatty(STDERR_FILENO));
  const robust_watch watch = {progress_line_update, &line, "margin and gradient"};
  const robust_gradient_place at = {&s->x, &s->ball.region, s->ball.label, &watch};
  const attcert_status status = robust_gradient_enclose(g, &s->network.steps, &at, err);
  progress_line_end(&line);
  return status;
}

static attcert_status run(const cli_options *options, attcert_error *err) {
  const double start = clock_seconds();
  network_source s = {0};
  robust_verdict verdict = {0};
  attcert_status status = output_probe(options->output, err);
  if (status == ATTCERT_OK) status = network_source_load(&s, options, err);
  if (status == ATTCERT_OK) status = enclose(&verdict.center, &s, err);
  const robust_facts r = network_source_facts(&s, &verdict, start);
  if (status == ATTCERT_OK)
    status = output_write(options->output, robust_report_write_gradient, options->format == FORMAT_JSON, &r, err);
  network_source_clear(&s);
  return status;
}

const cli_command command_gradient = {
    .name = "gradient",
    .summary = "enclose a whole network's margin at an input, and its gradient",
    .groups = OPTIONS_NETWORK | OPTIONS_TEXT | OPTIONS_REPORT,
    .run = run,
};
