/* Records input files with their SHA-256. */
#include "cli/source_files.h"

#include "base/arrays.h"
#include "model/format/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

attcert_status source_files_add(report_subject *subject, const char *role, const char *path, attcert_error *err) {
  report_file *const file = &subject->files[subject->file_count];
  if (subject->file_count == REPORT_MAX_FILES)
    return attcert_fail(err, ATTCERT_INPUT, "%s: more than %d input files, expected fewer", path, REPORT_MAX_FILES);
  const attcert_status status = sha256_file(file->sha256, path, err);
  if (status != ATTCERT_OK) return status;
  file->role = role;
  file->path = strdup(path);
  if (file->path == NULL) return array_out_of_memory(err, strlen(path) + 1, "the name of %s", path);
  subject->file_count++;
  return ATTCERT_OK;
}

attcert_status source_files_add_tokenizer(report_subject *subject, const char *path, attcert_error *err) {
  static const char *const names[] = {"vocab.txt", "vocab.json", "merges.txt"};
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return source_files_add(subject, "tokenizer", path, err);
  const size_t size = strlen(path) + 32;
  char *const file = array_new(size, 1, err, "a file name in %s", path);
  if (file == NULL) return ATTCERT_RESOURCE;
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && status == ATTCERT_OK; i++) {
    snprintf(file, size, "%s/%s", path, names[i]);
    if (access(file, F_OK) == 0) status = source_files_add(subject, "tokenizer", file, err);
  }
  free(file);
  return status;
}

attcert_status source_files_add_model(report_subject *subject, const model *m, const cli_options *o,
                                      attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  subject->random = model_file_count(m) == 0;
  if (!subject->random && o->given[OPTION_SEED])
    return attcert_fail(err, ATTCERT_INPUT, "--seed: %s is read from files, expected a random model with it", o->model);
  for (int i = 0; i < model_file_count(m) && status == ATTCERT_OK; i++)
    status = source_files_add(subject, "model", model_file_path(m, i), err);
  return status;
}

attcert_status source_files_open_tokenizer(tokenizer **t, report_subject *subject, const cli_options *o,
                                           attcert_error *err) {
  const char *const path = o->tokenizer != NULL ? o->tokenizer : subject->random ? NULL : o->model;
  attcert_status status = tokenizer_open(t, path, err);
  if (status != ATTCERT_OK) return status;
  snprintf(subject->tokenizer, sizeof subject->tokenizer, "%s", tokenizer_kind(*t));
  if (path != NULL) status = source_files_add_tokenizer(subject, path, err);
  return status == ATTCERT_OK ? source_files_add(subject, "text", o->text, err) : status;
}

void source_files_clear(report_subject *subject) {
  for (int i = 0; i < subject->file_count; i++) free(subject->files[i].path);
  subject->file_count = 0;
}
