/* See companion_files.h. */
#include "model/tokenizer/folder/companion_files.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

bool companion_find(char *path, const char *folder, const char *name) {
  struct stat info;
  const int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
  return length > 0 && length < PATH_MAX && stat(path, &info) == 0;
}

static attcert_status open_one(json_file *file, token_pipeline *p, const char *folder, const char *name,
                               attcert_error *err) {
  char path[PATH_MAX];
  *file = (json_file){.path = NULL};
  if (!companion_find(path, folder, name)) return ATTCERT_OK;
  const attcert_status status = json_file_open(file, path, err);
  if (status == ATTCERT_OK && p != NULL) token_pipeline_note_file(p, path, file->sha256);
  return status;
}

/* The model's reader notes config.json. */
attcert_status companion_files_open(companion_files *f, token_pipeline *p, const char *folder, attcert_error *err) {
  *f = (companion_files){.config = {.path = NULL}};
  if (folder == NULL) return ATTCERT_OK;
  attcert_status status = open_one(&f->config, p, folder, COMPANION_CONFIG_NAME, err);
  if (status == ATTCERT_OK) status = open_one(&f->special, p, folder, COMPANION_SPECIAL_NAME, err);
  if (status == ATTCERT_OK) status = open_one(&f->added, p, folder, COMPANION_ADDED_NAME, err);
  if (status == ATTCERT_OK) status = open_one(&f->model, NULL, folder, "config.json", err);
  if (status != ATTCERT_OK) companion_files_close(f);
  return status;
}

void companion_files_close(companion_files *f) {
  json_file_close(&f->config);
  json_file_close(&f->special);
  json_file_close(&f->added);
  json_file_close(&f->model);
}

component companion_component(const json_file *file) {
  return (component){.path = file->path, .json = file->root};
}
