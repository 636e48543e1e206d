#include "model/folder_path.h"

#include "base/arrays.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

size_t folder_path_length(const char *spec) {
  const size_t length = strlen(spec);
  const char *const colon = strrchr(spec, ':');
  const size_t before = colon != NULL ? (size_t)(colon - spec) : 0;
  char folder[PATH_MAX];
  if (before == 0 || before >= sizeof folder || is_folder(spec)) return length;
  snprintf(folder, sizeof folder, "%.*s", (int)before, spec);
  return is_folder(folder) ? before : length;
}

char *folder_path_new(const char *folder, const char *name, attcert_error *err) {
  const size_t length = strlen(folder);
  const char *separator = length > 0 && folder[length - 1] == '/' ? "" : "/";
  const size_t size = length + strlen(name) + 2;
  char *path = array_new(size, 1, err, "the name of %s in %s", name, folder);
  if (path != NULL) snprintf(path, size, "%s%s%s", folder, separator, name);
  return path;
}
