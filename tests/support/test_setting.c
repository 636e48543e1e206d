/* See test_setting.h. */
#include "test_setting.h"

#include <stdlib.h>

uint64_t test_setting(const char *name, uint64_t otherwise) {
  const char *const value = getenv(name);
  return value != NULL ? strtoull(value, NULL, 10) : otherwise;
}
