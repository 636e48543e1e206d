/* The file of a sweep (rows/row_file.h): one row a sequence. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_FILE_H
#define ATTCERT_REPORT_SWEEP_SWEEP_FILE_H

#include "report/rows/row_file.h"
#include "report/sweep/sweep_row.h"

typedef struct {
  row_file file;
  sweep_row *rows; /* those of the file, in its order */
  int count;
  int initialised; /* rows that exist: `count`, or one more */
  size_t capacity;
} sweep_file;

/* Opens or creates the file. header is its first line, without a newline; path must outlive the file. Errors: as of
 * row_file_open, or a row is there twice. On failure nothing is left open, and an existing file is as it was. */
attcert_status sweep_file_open(sweep_file *file, const char *path, const char *header, attcert_error *err);
void sweep_file_close(sweep_file *file);

/* Whether the row of this length and sequence is there. */
bool sweep_file_has(const sweep_file *file, int n, int sequence);

/* An empty row to be filled in and then appended; NULL, and the message in err, when out of memory. */
sweep_row *sweep_file_new_row(sweep_file *file, attcert_error *err);

/* Writes the row that sweep_file_new_row gave last. ATTCERT_RESOURCE: it could not be written,
 * and the file is as before. */
attcert_status sweep_file_append(sweep_file *file, attcert_error *err);

#endif
