#include "base/system_error.h"

#include <errno.h>

attcert_status system_error_status(int error) {
  static const int exhausted[] = {ENOMEM, ENOSPC, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOLCK, EINTR, EAGAIN};
  for (size_t i = 0; i < sizeof exhausted / sizeof exhausted[0]; i++) {
    if (error == exhausted[i]) return ATTCERT_RESOURCE;
  }
  return ATTCERT_INPUT;
}
