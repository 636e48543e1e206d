/* See test_data.h. */
#include "test_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

const char *test_data_path(char path[512], const char *name) {
  const char *const folder = getenv("ATTCERT_DATA");
  if (folder == NULL || snprintf(path, 512, "%s/%s", folder, name) >= 512 || access(path, R_OK) != 0) {
    print_message("skipped: no %s below ATTCERT_DATA\n", name);
    skip();
  }
  return path;
}
