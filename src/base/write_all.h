/* Bytes to a file descriptor, all of them. */
#ifndef ATTCERT_BASE_WRITE_ALL_H
#define ATTCERT_BASE_WRITE_ALL_H

#include <stddef.h>

/* Goes on after a signal (EINTR) and after a short write. Returns 0 or the errno of the first failure. */
int write_all(int descriptor, const void *bytes, size_t size);

/* fsync, again after a signal; 0 or errno. What cannot be synchronised (a pipe) is not an error. */
int write_sync(int descriptor);

#endif
