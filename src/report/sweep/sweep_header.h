/* The first line of a sweep's file: a comment that says, as JSON, what the sweep is of. The range of lengths is not
 * part of it, so that a sweep can be extended. */
#ifndef ATTCERT_SWEEP_HEADER_H
#define ATTCERT_SWEEP_HEADER_H

#include "report/subject.h"

/* "# {...}" without a newline, allocated. Files go by their names without folders, and their SHA-256. bounds: whether
 * the theory's bounds are evaluated. Errors: ATTCERT_RESOURCE. */
attcert_status sweep_header_write(char **line, const report_subject *subject, const attcert_options *options,
                                  int sequences, bool bounds, attcert_error *err);

/* How `found`, the first line of the file `path`, differs from `expected`: always fails with ATTCERT_INPUT, naming the
 * first entry that differs, with both values. */
attcert_status sweep_header_refuse(const char *expected, const char *found, const char *path, attcert_error *err);

#endif
