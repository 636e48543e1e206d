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
  if (info.st_size == 0) return ATTCERT_OK; /* mmap refuses a length of 0 */
  const size_t size = (size_t)info.st_size;
  void *const data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED)
    return attcert_fail(err, system_error_status(errno), "%s: cannot map %zu bytes: %s", path, size, strerror(errno));
  *file = (mapped_file){data, size};
  return ATTCERT_OK;
}

attcert_status mapped_file_open(mapped_file *file, const char *path, attcert_error *err) {
  *file = (mapped_file){NULL, 0};
  int descriptor;
  do descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0)
    return attcert_fail(err, system_error_status(errno), "%s: cannot read: %s", path, strerror(errno));
  const attcert_status status = map_descriptor(file, descriptor, path, err);
  close(descriptor); /* the mapping keeps the file open */
  return status;
}

void mapped_file_close(mapped_file *file) {
  if (file->data != NULL) munmap((void *)(uintptr_t)file->data, file->size);
  *file = (mapped_file){NULL, 0};
}
