/* Doubles on disk: a file without a name in a folder, gone with the process whatever ends it. */
#ifndef ATTCERT_LINALG_PANEL_PANEL_FILE_H
#define ATTCERT_LINALG_PANEL_PANEL_FILE_H

#include "attcert.h"

typedef struct {
  const char *folder;
  int descriptor; /* negative: not open */
  uint64_t bytes; /* reserved on the disk */
} panel_file;

/* folder must outlive the file. ATTCERT_INPUT: no file can be created there. ATTCERT_RESOURCE:
 * the system is out of files. */
attcert_status panel_file_open(panel_file *f, const char *folder, attcert_error *err);
void panel_file_close(panel_file *f);

/* Makes sure that `bytes` can be written, now rather than after a long run.
 * ATTCERT_RESOURCE says how much is needed. */
attcert_status panel_file_reserve(panel_file *f, uint64_t bytes, attcert_error *err);

/* count doubles from the first-th on. ATTCERT_RESOURCE: the disk fails, or the file is shorter. */
attcert_status panel_file_write(const panel_file *f, uint64_t first, const double *x, size_t count, attcert_error *err);
attcert_status panel_file_read(const panel_file *f, uint64_t first, double *x, size_t count, attcert_error *err);

#endif
