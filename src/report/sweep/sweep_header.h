/* The first line of a sweep's file: a comment that says, as JSON, what the sweep is of. The range of lengths is not
 * part of it, so that a sweep can be extended. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_HEADER_H
#define ATTCERT_REPORT_SWEEP_SWEEP_HEADER_H

#include "report/subject.h"

typedef struct {
  const char *schema;
  int sequences;            /* of each length; 0: no entry */
  bool bounds;              /* the theory's bounds are evaluated */
  const char *ball, *words; /* of balls around the input; NULL: no entry */
} sweep_header;

/* "# {...}" without a newline, allocated. Files go by their names without folders, and their SHA-256. Errors:
 * ATTCERT_RESOURCE. */
attcert_status sweep_header_write(char **line, const report_subject *subject, const attcert_options *options,
                                  const sweep_header *sweep, attcert_error *err);

#endif
