/* One line on a terminal that says what a long run is doing; nothing where the stream is no terminal. */
#ifndef ATTCERT_PROGRESS_LINE_H
#define ATTCERT_PROGRESS_LINE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
  FILE *stream;
  bool enabled, shown;
  double last; /* clock_seconds when the line was last drawn */
} progress_line;

/* terminal: whether stream is one (isatty). */
void progress_line_start(progress_line *line, FILE *stream, bool terminal);

/* An attcert_progress callback; context is the progress_line. Draws at most ten times a second, and never asks to end
 * the run. */
int progress_line_update(void *context, const char *stage, double done);

/* Erases the line. */
void progress_line_end(progress_line *line);

#endif
