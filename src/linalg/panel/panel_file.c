#include "linalg/panel/panel_file.h"

#include "base/arrays.h"
#include "base/unfinished_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

attcert_status panel_file_open(panel_file *f, const char *folder, attcert_error *err) {
  static const char name[] = "/attcert-XXXXXX";
  *f = (panel_file){.folder = folder, .descriptor = -1};
  const size_t size = strlen(folder) + sizeof name;
  char *const path = array_new(size, 1, err, "the name of a scratch file in %s", folder);
  if (path == NULL) return ATTCERT_RESOURCE;
  snprintf(path, size, "%s%s", folder, name);
  sigset_t signals; /* none between creation and removal */
  unfinished_files_lock(&signals);
  f->descriptor = mkstemp(path);
  const int error = errno;
  if (f->descriptor >= 0) unlink(path);
  unfinished_files_unlock(&signals);
  free(path);
  if (f->descriptor >= 0) return ATTCERT_OK;
  const bool exhausted = error == EMFILE || error == ENFILE || error == ENOSPC || error == EDQUOT;
  return attcert_fail(err, exhausted ? ATTCERT_RESOURCE : ATTCERT_INPUT,
                      "scratch folder '%s': cannot create a file there: %s", folder, strerror(error));
}

void panel_file_close(panel_file *f) {
  if (f->descriptor >= 0) close(f->descriptor);
  f->descriptor = -1;
}

attcert_status panel_file_reserve(panel_file *f, uint64_t bytes, attcert_error *err) {
  if (bytes <= f->bytes) return ATTCERT_OK;
  const int error = bytes > INT64_MAX ? EFBIG : posix_fallocate(f->descriptor, 0, (off_t)bytes);
  if (error == 0) {
    f->bytes = bytes;
    return ATTCERT_OK;
  }
  return attcert_fail(err, ATTCERT_RESOURCE, "scratch folder '%s': cannot reserve the %llu bytes that are needed: %s",
                      f->folder, (unsigned long long)bytes, strerror(error));
}

/* Moves all the doubles, in as many system calls as it takes: out of the file, or into it
 * from memory that is only read. */
static attcert_status transfer(const panel_file *f, bool writing, uint64_t first, double *x, size_t count,
                               attcert_error *err) {
  char *bytes = (char *)x;
  off_t at = (off_t)(first * sizeof(double));
  for (size_t left = count * sizeof(double); left > 0;) {
    const ssize_t moved = writing ? pwrite(f->descriptor, bytes, left, at) : pread(f->descriptor, bytes, left, at);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0)
      return attcert_fail(err, ATTCERT_RESOURCE, "scratch folder '%s': cannot %s: %s", f->folder,
                          writing ? "write" : "read", moved < 0 ? strerror(errno) : "the file ends");
    bytes += moved;
    at += moved;
    left -= (size_t)moved;
  }
  return ATTCERT_OK;
}

attcert_status panel_file_write(const panel_file *f, uint64_t first, const double *x, size_t count,
                                attcert_error *err) {
  return transfer(f, true, first, (double *)x, count, err);
}

attcert_status panel_file_read(const panel_file *f, uint64_t first, double *x, size_t count, attcert_error *err) {
  return transfer(f, false, first, x, count, err);
}
