/* Reads input files, and records them with the SHA-256 of what was read. */
#include "cli/source/source_files.h"

#include "cli/options/option_token_ids.h"
#include "model/format/matrix_file.h"
#include "run/run_model.h"

#include <stdio.h>

attcert_status source_files_add_model(report_subject *subject, const model *m, const cli_options *o,
                                      attcert_error *err) {
  if (model_file_count(m) > 0 && o->given[OPTION_SEED])
    return attcert_fail(err, ATTCERT_INPUT, "--seed: %s is read from files, expected a random model with it", o->model);
  return run_model_files(subject, m, err);
}

attcert_status source_files_open_tokenizer(tokenizer **t, report_subject *subject, const model *m, const cli_options *o,
                                           attcert_error *err) {
  const char *const path = o->tokenizer != NULL ? o->tokenizer : model_folder(m);
  attcert_status status = tokenizer_open(t, path, err);
  if (status == ATTCERT_INPUT && o->token_ids != NULL && o->tokenizer == NULL) return ATTCERT_OK;
  if (status != ATTCERT_OK) return status;
  if (o->text != NULL) snprintf(subject->tokenizer, sizeof subject->tokenizer, "%s", tokenizer_kind(*t));
  for (int i = 0; i < tokenizer_file_count(*t) && status == ATTCERT_OK; i++)
    status = subject_add_file(subject, "tokenizer", tokenizer_file_path(*t, i), tokenizer_file_sha256(*t, i), err);
  return status;
}

const char *source_files_input_name(const cli_options *o) {
  if (o->token_ids != NULL) return option_token_ids_listed(o->token_ids) ? "--token-ids" : o->token_ids;
  if (o->text != NULL) return o->text;
  return o->hidden != NULL ? o->hidden : o->input == NULL && o->box_least != NULL ? "the middle of the box" : o->input;
}

attcert_status source_files_read_text(int **tokens, int n, const tokenizer *t, report_subject *subject,
                                      const cli_options *o, attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  const tokenizer_span span = {.offset = o->offset, .n = n};
  const attcert_status status = tokenizer_sequence(tokens, &n, sha256, t, &span, o->text, err);
  return status == ATTCERT_OK ? subject_add_file(subject, "text", o->text, sha256, err) : status;
}

attcert_status source_files_read_numbers(attcert_matrix *m, report_subject *subject, const char *role, const char *path,
                                         attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  attcert_status status = matrix_file_read(m, sha256, path, err);
  if (status != ATTCERT_OK) return status;
  status = subject_add_file(subject, role, path, sha256, err);
  if (status != ATTCERT_OK) attcert_matrix_clear(m);
  return status;
}

attcert_status source_files_read_array(npy_array *array, report_subject *subject, const char *role, const char *path,
                                       attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  const attcert_status status = npy_array_read(array, sha256, path, err);
  return status == ATTCERT_OK ? subject_add_file(subject, role, path, sha256, err) : status;
}
