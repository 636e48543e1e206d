/* Maps a regular file. O_NONBLOCK keeps open from waiting on a FIFO, which is then refused
 * like every other special file. */
#include "model/format/mapped_file.h"

#include "base/system_error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static attcert_status map_descriptor(mapped_file *file, int descriptor, const char *path, attcert_error *err) {
  struct stat info;
  if (fstat(descriptor, &info) != 0)
    return attcert_fail(err, system_error_status(errno), "%s: %s", path, strerror(errno));
  if (!S_ISREG(info.st_mode)) return attcert_fail(err, ATTCERT_INPUT, "%s: expected a regular file", path);
  *file = (mapped_file){.open = true, .descriptor = descriptor, .modified = info.st_mtim};
  if (info.st_size == 0) return ATTCERT_OK; /* mmap refuses a length of 0 */
  const size_t size = (size_t)info.st_size;
  void *const data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED)
    return attcert_fail(err, system_error_status(errno), "%s: cannot map %zu bytes: %s", path, size, strerror(errno));
  file->data = data;
  file->size = size;
  return ATTCERT_OK;
}

attcert_status mapped_file_open(mapped_file *file, const char *path, attcert_error *err) {
  *file = (mapped_file){.open = false};
  int descriptor;
  do descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0)
    return attcert_fail(err, system_error_status(errno), "%s: cannot read: %s", path, strerror(errno));
  const attcert_status status = map_descriptor(file, descriptor, path, err);
  if (status == ATTCERT_OK) return status;
  close(descriptor);
  *file = (mapped_file){.open = false};
  return status;
}

void mapped_file_close(mapped_file *file) {
  if (file->data != NULL) munmap((void *)(uintptr_t)file->data, file->size);
  if (file->open) close(file->descriptor);
  *file = (mapped_file){.open = false};
}

static bool same_time(struct timespec a, struct timespec b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

attcert_status mapped_file_check(const mapped_file *file, const char *path, attcert_error *err) {
  struct stat info;
  if (fstat(file->descriptor, &info) != 0)
    return attcert_fail(err, system_error_status(errno), "%s: %s", path, strerror(errno));
  if ((size_t)info.st_size == file->size && same_time(info.st_mtim, file->modified)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: was changed while it was read, expected it to stay as it is", path);
}

attcert_status mapped_file_digest(char sha256[SHA256_HEX_SIZE], const mapped_file *file, const char *path,
                                  attcert_error *err) {
  const attcert_status status = sha256_descriptor(sha256, file->descriptor, path, err);
  return status == ATTCERT_OK ? mapped_file_check(file, path, err) : status;
}
