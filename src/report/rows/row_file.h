/* A CSV file that grows: a first line that says what its rows are of (row_header.h), the names of the columns, a row a
 * line. A row is appended whole, by one write(2), and is on the disk before the call returns. A line that a crash cut
 * short is removed when the file is opened again. While it is open the file is locked against a second run (flock). */
#ifndef ATTCERT_REPORT_ROWS_ROW_FILE_H
#define ATTCERT_REPORT_ROWS_ROW_FILE_H

#include "attcert.h"

#include <stdio.h>

typedef struct {
  const char *path;
  int descriptor;
} row_file;

/* What the file has to begin with, and who reads the rows that it holds. */
typedef struct {
  const char *kind;   /* of messages: "sweep" */
  const char *header; /* the first line, without a newline */
  void (*put_names)(FILE *out);
  attcert_status (*read)(void *context, const char *line, const char *where, attcert_error *err);
  void *context;
} row_file_rows;

/* Opens or creates the file, and reads each of its rows; path must outlive it. ATTCERT_INPUT: it cannot be opened,
 * begins as another one (row_header_refuse), is in use, or a row is refused. On failure nothing is left open, and an
 * existing file is as it was. */
attcert_status row_file_open(row_file *file, const char *path, const row_file_rows *rows, attcert_error *err);
void row_file_close(row_file *file);

/* What `put` writes of the row. ATTCERT_RESOURCE: it could not be written, and the file is as before. */
attcert_status row_file_append(row_file *file, void (*put)(FILE *out, const void *row), const void *row,
                               attcert_error *err);

#endif
