#include "base/byte_text.h"

#include <inttypes.h>
#include <stdio.h>

const char *byte_text(char text[BYTE_TEXT_SIZE], uint64_t bytes) {
  static const double mib = 1 << 20;
  if ((double)bytes < mib)
    snprintf(text, BYTE_TEXT_SIZE, "%" PRIu64 " bytes", bytes);
  else
    snprintf(text, BYTE_TEXT_SIZE, "%.1f MiB (%" PRIu64 " bytes)", (double)bytes / mib, bytes);
  return text;
}
