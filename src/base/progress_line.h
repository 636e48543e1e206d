/* One line on a terminal that says what a long run is doing; nothing where the stream is no terminal. */
#ifndef ATTCERT_BASE_PROGRESS_LINE_H
#define ATTCERT_BASE_PROGRESS_LINE_H

#include <stdbool.h>
#include <stdio.h>

enum { PROGRESS_STAGE_SIZE = 64, PROGRESS_TIME_SIZE = 24 };

typedef struct {
  FILE *stream;
  bool enabled, shown;
  double last; /* clock_seconds when the line was last drawn */
  char stage[PROGRESS_STAGE_SIZE];
  double start, first; /* clock_seconds when this stage was first seen, and how much of it was done then */
} progress_line;

/* terminal: whether stream is one (isatty). */
void progress_line_start(progress_line *line, FILE *stream, bool terminal);

/* An attcert_progress callback; context is the progress_line. Draws at most ten times a second, and never asks to end
 * the run. */
int progress_line_update(void *context, const char *stage, double done);

/* ", 12 s left", from the time that a stage took from `first` to `done`; "" where that is too little to tell. */
const char *progress_line_remaining(char text[PROGRESS_TIME_SIZE], double seconds, double first, double done);

/* Erases the line. */
void progress_line_end(progress_line *line);

#endif
