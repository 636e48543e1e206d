/* An output file that exists whole or not at all: the bytes go to a temporary name beside the target, which takes the
 * target's name (rename, atomic in POSIX) only after everything has reached the disk.
 *
 *   atomic_file out;
 *   status = atomic_file_open(&out, path, err);
 *   fprintf(out.stream, ...);                    (commit reports what could not be written)
 *   status = atomic_file_commit(&out, err);      (or atomic_file_discard(&out) to give up) */
#ifndef ATTCERT_MODEL_FORMAT_ATOMIC_FILE_H
#define ATTCERT_MODEL_FORMAT_ATOMIC_FILE_H

#include "attcert.h"

#include <stdio.h>

typedef struct {
  FILE *stream; /* NULL once committed or discarded; writes to memory, so that no error is lost on the way */
  char *text;   /* what was written, once the stream is closed */
  size_t length;
  int descriptor; /* of the temporary file */
  char *path, *temporary;
} atomic_file;

/* ATTCERT_INPUT when path names a folder, a device, or a place that cannot be written to. An existing regular file is
 * replaced on commit; until then it is untouched. */
attcert_status atomic_file_open(atomic_file *file, const char *path, attcert_error *err);

/* Flushes, syncs, renames. On failure (ATTCERT_RESOURCE when the disk is full) nothing is left behind. */
attcert_status atomic_file_commit(atomic_file *file, attcert_error *err);

/* Removes the temporary file; the target stays as it was. Harmless after a commit or a failed open. */
void atomic_file_discard(atomic_file *file);

#endif
