#include "model/folder_path.h"

#include "base/arrays.h"

#include <stdio.h>
#include <string.h>

char *folder_path_new(const char *folder, const char *name, attcert_error *err) {
  const size_t length = strlen(folder);
  const char *separator = length > 0 && folder[length - 1] == '/' ? "" : "/";
  const size_t size = length + strlen(name) + 2;
  char *path = array_new(size, 1, err, "the name of %s in %s", name, folder);
  if (path != NULL) snprintf(path, size, "%s%s%s", folder, separator, name);
  return path;
}
