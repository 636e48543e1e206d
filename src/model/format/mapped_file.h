/* A regular file mapped read-only into memory: only the pages that are read cost memory. The file must not be truncated
 * by somebody else while it is mapped (replacing it by a rename is harmless). */
#ifndef ATTCERT_MODEL_FORMAT_MAPPED_FILE_H
#define ATTCERT_MODEL_FORMAT_MAPPED_FILE_H

#include "attcert.h"
#include "model/format/sha256.h"

#include <time.h>

typedef struct {
  const unsigned char *data; /* NULL when the file is empty */
  size_t size;
  bool open;
  int descriptor;           /* of the mapped file, when open */
  struct timespec modified; /* when it was last, before it was opened */
} mapped_file;

/* ATTCERT_INPUT when path is missing, unreadable, or not a regular file. */
attcert_status mapped_file_open(mapped_file *file, const char *path, attcert_error *err);
void mapped_file_close(mapped_file *file);

/* SHA-256 of the mapped file itself, whatever its name names by now, followed by mapped_file_check: what was read from
 * the mapping before the call is what was hashed. path is for messages. */
attcert_status mapped_file_digest(char sha256[SHA256_HEX_SIZE], const mapped_file *file, const char *path,
                                  attcert_error *err);

/* ATTCERT_INPUT when somebody wrote into the file since it was opened: its size or time differs. (The time is that of a
 * tick of the system's clock, some milliseconds: a file written into within the tick before it was opened may be
 * written into in the rest of it.) */
attcert_status mapped_file_check(const mapped_file *file, const char *path, attcert_error *err);

#endif
