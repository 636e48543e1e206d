/* Output through a temporary file. The temporary name is created with O_EXCL and mode 0666, so that the file gets the
 * permissions of the user's umask, which mkstemp would not give it. */
#include "model/format/atomic_file.h"

#include "base/arrays.h"
#include "base/memory_stream.h"
#include "base/system_error.h"
#include "base/unfinished_files.h"
#include "base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ATTEMPTS = 1000 };

/* Renaming over a device or a pipe (/dev/stdout, /dev/null) would replace it by a file. */
static attcert_status check_target(const char *path, attcert_error *err) {
  struct stat info;
  if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: cannot write: exists and is not a regular file", path);
}

/* A descriptor of a new file `name`, which a signal removes from now on; -1 and errno when there is none. */
static int create(const char *name) {
  sigset_t signals;
  unfinished_files_lock(&signals);
  const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor >= 0) unfinished_files_add(name);
  unfinished_files_unlock(&signals);
  return descriptor;
}

/* The same for the first name PATH.PID-N.tmp that is not taken. */
static int create_beside(char *name, size_t name_size, const char *path) {
  for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
    snprintf(name, name_size, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
    const int descriptor = create(name);
    if (descriptor >= 0 || (errno != EEXIST && errno != EINTR)) return descriptor;
  }
  return -1;
}

static attcert_status write_failure(const char *path, int error, attcert_error *err) {
  return attcert_fail(err, system_error_status(error), "%s: cannot write: %s", path, strerror(error));
}

static void release(atomic_file *file) {
  sigset_t signals;
  unfinished_files_lock(&signals);
  if (file->temporary != NULL) unfinished_files_drop(file->temporary);
  unfinished_files_unlock(&signals);
  free(file->path);
  free(file->temporary);
  free(file->text);
  *file = (atomic_file){.stream = NULL};
}

/* The names and the text, in memory. */
static attcert_status prepare(atomic_file *file, const char *path, size_t name_size, attcert_error *err) {
  file->path = strdup(path);
  file->temporary = malloc(name_size);
  if (file->path != NULL && file->temporary != NULL) file->stream = open_memstream(&file->text, &file->length);
  if (file->stream != NULL) return ATTCERT_OK;
  release(file);
  return array_out_of_memory(err, name_size + strlen(path) + 1, "the name of a file beside %s", path);
}

/* Whether `text` has all that was written. */
static bool close_stream(atomic_file *file) {
  FILE *const stream = file->stream;
  file->stream = NULL;
  return memory_stream_close(stream, &file->text);
}

attcert_status atomic_file_open(atomic_file *file, const char *path, attcert_error *err) {
  *file = (atomic_file){.stream = NULL};
  const size_t name_size = strlen(path) + sizeof ".-2147483648-1000.tmp" + 20;
  attcert_status status = check_target(path, err);
  if (status == ATTCERT_OK) status = prepare(file, path, name_size, err);
  if (status != ATTCERT_OK) return status;
  file->descriptor = create_beside(file->temporary, name_size, path);
  if (file->descriptor >= 0) return ATTCERT_OK;
  const int error = errno;
  close_stream(file);
  release(file);
  return write_failure(path, error, err);
}

/* The text's bytes reach the disk; 0 or an errno. Closes the descriptor in any case: after EINTR it is closed too. */
static int write_text(atomic_file *file) {
  int error = close_stream(file) ? write_all(file->descriptor, file->text, file->length) : ENOMEM;
  if (error == 0) error = write_sync(file->descriptor);
  if (close(file->descriptor) != 0 && errno != EINTR && error == 0) error = errno;
  return error;
}

attcert_status atomic_file_commit(atomic_file *file, attcert_error *err) {
  int error = write_text(file);
  if (error == 0 && rename(file->temporary, file->path) != 0) error = errno;
  attcert_status status = ATTCERT_OK;
  if (error != 0) {
    unlink(file->temporary);
    status = write_failure(file->path, error, err);
  }
  release(file);
  return status;
}

void atomic_file_discard(atomic_file *file) {
  if (file->stream == NULL) return;
  close_stream(file);
  close(file->descriptor);
  unlink(file->temporary);
  release(file);
}
