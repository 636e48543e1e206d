/* A row that was read back against the sweep that goes on behind it: a file that somebody changed is refused rather
 * than continued. What the theory says of the row is sweep_check. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_RESUME_H
#define ATTCERT_REPORT_SWEEP_SWEEP_RESUME_H

#include "report/sweep/sweep_row.h"

typedef struct {
  int offset, sequences; /* of the sweep: its first token, its sequences of each length */
  bool bounds;           /* the theory's bounds are evaluated */
} sweep_terms;

/* ATTCERT_INPUT names the row and the column that cannot be this sweep's: sequence, offset, relative_width, engine,
 * bounds, seconds. */
attcert_status sweep_resume_check(const sweep_row *row, const sweep_terms *terms, const char *path, attcert_error *err);

#endif
