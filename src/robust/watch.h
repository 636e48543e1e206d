/* What a run over a network's steps says of itself, and whether it is to go on. */
#ifndef ATTCERT_ROBUST_WATCH_H
#define ATTCERT_ROBUST_WATCH_H

#include "attcert.h"

typedef struct {
  attcert_progress progress; /* NULL: nobody listens */
  void *context;
  char stage[64];
} robust_watch;

/* That `done` of the stage, in [0, 1], is done; watch may be NULL. ATTCERT_CANCELLED, naming the stage, where the run
 * is to end. */
attcert_status robust_watch_report(const robust_watch *watch, double done, attcert_error *err);

#endif
