/* Test files live under $TMPDIR or /tmp; a failure here ends the test program, as nothing after it would mean
 * anything. */
#include "temp_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void must(int ok, const char *what, const char *path) {
  if (ok) return;
  fprintf(stderr, "temp_folder: cannot %s %s\n", what, path);
  abort();
}

void temp_folder_init(temp_folder *folder) {
  const char *const root = getenv("TMPDIR");
  snprintf(folder->path, sizeof folder->path, "%s/attcert-XXXXXX", root != NULL ? root : "/tmp");
  must(mkdtemp(folder->path) != NULL, "make", folder->path);
}

const char *temp_folder_path(char path[512], const temp_folder *folder, const char *name) {
  snprintf(path, 512, "%s/%s", folder->path, name);
  return path;
}

void temp_folder_write(const temp_folder *folder, const char *name, const void *bytes, size_t size) {
  char path[512];
  unlink(temp_folder_path(path, folder, name)); /* a new file: ext4 flushes one that is written over when it closes */
  FILE *const stream = fopen(path, "wb");
  must(stream != NULL, "create", path);
  must(size == 0 || fwrite(bytes, 1, size, stream) == size, "write", path);
  must(fclose(stream) == 0, "close", path);
}

static int is_file(const char *name) {
  return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

int temp_folder_count(const temp_folder *folder) {
  DIR *const entries = opendir(folder->path);
  must(entries != NULL, "list", folder->path);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) count += is_file(entry->d_name);
  closedir(entries);
  return count;
}

void temp_folder_empty(const temp_folder *folder) {
  DIR *const entries = opendir(folder->path);
  must(entries != NULL, "list", folder->path);
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    char path[512];
    if (is_file(entry->d_name)) must(remove(temp_folder_path(path, folder, entry->d_name)) == 0, "remove", path);
  }
  closedir(entries);
}

void temp_folder_clear(temp_folder *folder) {
  temp_folder_empty(folder);
  must(rmdir(folder->path) == 0, "remove", folder->path);
}

temp_folder temp_folder_shared;

int temp_folder_set_up(void **state) {
  (void)state;
  temp_folder_init(&temp_folder_shared);
  return 0;
}

int temp_folder_tear_down(void **state) {
  (void)state;
  temp_folder_clear(&temp_folder_shared);
  return 0;
}
