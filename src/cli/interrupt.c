#include "cli/interrupt.h"

#include "cli/signals.h"

#include <fcntl.h>
#include <unistd.h>

static void close_ends(interrupt *i) {
  for (int k = 0; k < 2; k++) {
    if (i->ends[k] >= 0) close(i->ends[k]);
    i->ends[k] = -1;
  }
}

void interrupt_start(interrupt *i, progress_line *line) {
  *i = (interrupt){.line = line, .ends = {-1, -1}};
  if (pipe(i->ends) != 0) return;
  if (fcntl(i->ends[0], F_SETFL, O_NONBLOCK) == 0)
    signals_divert(i->ends[1]);
  else
    close_ends(i);
}

/* A handler may have taken the descriptor and be about to write: the ends stay open for it. */
void interrupt_end(void) {
  signals_divert(-1);
}

int interrupt_progress(void *context, const char *stage, double done) {
  interrupt *const i = context;
  unsigned char number;
  if (i->ends[0] >= 0 && read(i->ends[0], &number, 1) == 1) i->number = number;
  progress_line_update(i->line, stage, done);
  return i->number != 0;
}
