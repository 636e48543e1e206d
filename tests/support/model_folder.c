/* mkdtemp under TMPDIR (or /tmp), two files in it. */
#include "model_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const files[] = {"config.json", "model.safetensors"};

const char *model_folder_file(char buffer[320], const model_folder *folder, const char *name) {
  snprintf(buffer, 320, "%s/%s", folder->path, name);
  return buffer;
}

void model_folder_init(model_folder *folder) {
  const char *base = getenv("TMPDIR");
  snprintf(folder->path, sizeof folder->path, "%s/attcert-model-XXXXXX", base != NULL ? base : "/tmp");
  assert_non_null(mkdtemp(folder->path));
}

void model_folder_clear(model_folder *folder) {
  char path[320];
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) unlink(model_folder_file(path, folder, files[i]));
  rmdir(folder->path);
}

void model_folder_write_config(const model_folder *folder, const char *text) {
  char path[320];
  FILE *file = fopen(model_folder_file(path, folder, files[0]), "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

void model_folder_write_tensors(const model_folder *folder, const tensor_list *list, const char *prefix) {
  char path[320];
  tensor_list_write(list, model_folder_file(path, folder, files[1]), prefix);
}
