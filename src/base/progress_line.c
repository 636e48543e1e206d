/* The progress line: redrawn in place with a carriage return and "erase to the end of the line" (ECMA-48, CSI K). */
#include "base/progress_line.h"

#include "base/clock.h"

#define ERASE_LINE "\r\033[K"

/* A line that wraps could not be erased: 80 columns hold the stage and the percentage. */
enum { STAGE_WIDTH = 72 };

void progress_line_start(progress_line *line, FILE *stream, bool terminal) {
  *line = (progress_line){.stream = stream, .enabled = terminal};
}

int progress_line_update(void *context, const char *stage, double done) {
  progress_line *const line = context;
  if (!line->enabled) return 0;
  const double now = clock_seconds();
  if (line->shown && now - line->last < 0.1) return 0;
  fprintf(line->stream, ERASE_LINE "%.*s", STAGE_WIDTH, stage);
  if (done > 0) fprintf(line->stream, " %3.0f %%", 100 * done);
  fflush(line->stream);
  line->last = now;
  line->shown = true;
  return 0;
}

void progress_line_end(progress_line *line) {
  if (line->shown) fputs(ERASE_LINE, line->stream);
  fflush(line->stream);
  line->shown = false;
}
