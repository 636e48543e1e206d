/* The progress line: redrawn in place with a carriage return and "erase to the end of the line" (ECMA-48, CSI K). */
#include "base/progress_line.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

#define ERASE_LINE "\r\033[K"

/* A line that wraps could not be erased: 80 columns hold the stage, the percentage and the time left. */
enum { STAGE_WIDTH = 72, TIMED_STAGE_WIDTH = PROGRESS_STAGE_SIZE - 8 };

/* Less is not enough to go by. */
static const double least_seconds = 2, least_part = 0.01;

void progress_line_start(progress_line *line, FILE *stream, bool terminal) {
  *line = (progress_line){.stream = stream, .enabled = terminal};
}

const char *progress_line_remaining(char text[PROGRESS_TIME_SIZE], double seconds, double first, double done) {
  text[0] = '\0';
  if (seconds < least_seconds || done - first < least_part || done > 1) return text;
  const double left = fmin(seconds * (1 - done) / (done - first), 99 * 3600.0);
  const double amount = left < 90 ? left : left < 90 * 60 ? left / 60 : left / 3600;
  snprintf(text, PROGRESS_TIME_SIZE, ", %.0f %s left", amount, left < 90 ? "s" : left < 90 * 60 ? "min" : "h");
  return text;
}

/* A stage is timed from its first update, and anew when it begins again. */
static void note_stage(progress_line *line, const char *stage, double done, double now) {
  if (strncmp(line->stage, stage, sizeof line->stage - 1) == 0 && done >= line->first) return;
  snprintf(line->stage, sizeof line->stage, "%s", stage);
  line->start = now;
  line->first = done;
}

int progress_line_update(void *context, const char *stage, double done) {
  progress_line *const line = context;
  char left[PROGRESS_TIME_SIZE];
  if (!line->enabled) return 0;
  const double now = clock_seconds();
  note_stage(line, stage, done, now);
  if (line->shown && now - line->last < 0.1) return 0;
  fprintf(line->stream, ERASE_LINE "%.*s", done > 0 ? TIMED_STAGE_WIDTH : STAGE_WIDTH, stage);
  if (done > 0)
    fprintf(line->stream, " %3.0f %%%s", 100 * done,
            progress_line_remaining(left, now - line->start, line->first, done));
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
