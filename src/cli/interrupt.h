/* A run that ends by itself at the first signal, where it looks whether there was one, so that what it has found is
 * reported; the second signal ends the process at once. */
#ifndef ATTCERT_CLI_INTERRUPT_H
#define ATTCERT_CLI_INTERRUPT_H

#include "base/progress_line.h"

typedef struct {
  progress_line *line;
  int ends[2]; /* of the pipe that the signal goes through; -1: none */
  int number;  /* of the signal that came; 0: none */
} interrupt;

/* Until interrupt_end. Without a pipe a signal ends the process as ever. */
void interrupt_start(interrupt *i, progress_line *line);
void interrupt_end(void);

/* An attcert_progress callback; context is the interrupt. Draws its line; not 0 once a signal came. */
int interrupt_progress(void *context, const char *stage, double done);

#endif
