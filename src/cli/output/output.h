/* Where a report goes: standard output, or a file that appears whole or not at all. */
#ifndef ATTCERT_CLI_OUTPUT_OUTPUT_H
#define ATTCERT_CLI_OUTPUT_OUTPUT_H

#include "attcert.h"
#include "model/format/atomic_file.h"
#include "report/fact_writer.h"

typedef struct {
  FILE *stream; /* to write to, in memory: a run that ends early leaves no part of a report anywhere */
  char *text;   /* for standard output, once the stream is closed */
  size_t length;
  bool to_file;
  atomic_file file;
} output;

/* path = NULL: standard output. */
attcert_status output_open(output *out, const char *path, attcert_error *err);

/* status: what writing came to; unless it is ATTCERT_OK, nothing appears. Returns it, or ATTCERT_RESOURCE when
 * something could not be written. */
attcert_status output_close(output *out, attcert_status status, attcert_error *err);

/* A whole report, opened, written and closed. */
attcert_status output_write(const char *path, report_writer *write, bool json, const void *facts, attcert_error *err);

/* Fails now, rather than after a long run, when path (NULL: none) could not be written. */
attcert_status output_probe(const char *path, attcert_error *err);

#endif
