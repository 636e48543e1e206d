/* A regular file mapped read-only into memory: only the pages that are read cost memory. The file must not be truncated
 * by somebody else while it is mapped (replacing it by a rename is harmless). */
#ifndef ATTCERT_MAPPED_FILE_H
#define ATTCERT_MAPPED_FILE_H

#include "attcert.h"

typedef struct {
  const unsigned char *data; /* NULL when the file is empty */
  size_t size;
} mapped_file;

/* ATTCERT_INPUT when path is missing, unreadable, or not a regular file. */
attcert_status mapped_file_open(mapped_file *file, const char *path, attcert_error *err);
void mapped_file_close(mapped_file *file);

#endif
