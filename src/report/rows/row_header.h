/* The first line of a file of rows: a comment that says, as JSON, what the rows are of. */
#ifndef ATTCERT_REPORT_ROWS_ROW_HEADER_H
#define ATTCERT_REPORT_ROWS_ROW_HEADER_H

#include "report/subject.h"

#include <jansson.h>

/* A path without its folders: the same run may be done elsewhere. A name that is not UTF-8 has no JSON string. */
json_t *row_header_name(const char *path);

/* The subject's files by their names without folders, and their SHA-256. */
json_t *row_header_files(const report_subject *subject);

/* "# {...}" without a newline, allocated; the object is released. Errors: ATTCERT_RESOURCE. */
attcert_status row_header_line(char **line, json_t *header, attcert_error *err);

/* How `found`, the first line of the file `path`, differs from `expected`: always fails with ATTCERT_INPUT, naming the
 * first entry that differs, with both values. kind: "sweep" */
attcert_status row_header_refuse(const char *expected, const char *found, const char *path, const char *kind,
                                 attcert_error *err);

#endif
