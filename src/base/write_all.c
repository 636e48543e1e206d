#include "base/write_all.h"

#include <errno.h>
#include <unistd.h>

int write_all(int descriptor, const void *bytes, size_t size) {
  const char *const text = bytes;
  for (size_t done = 0; done < size;) {
    const ssize_t written = write(descriptor, text + done, size - done);
    if (written < 0 && errno != EINTR) return errno;
    if (written == 0) return EIO; /* nothing was taken, and no reason given */
    if (written > 0) done += (size_t)written;
  }
  return 0;
}

int write_sync(int descriptor) {
  int result;
  do result = fsync(descriptor);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL ? 0 : errno;
}
