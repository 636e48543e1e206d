#include "model/head/head_config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static attcert_status read_architecture(head_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "architectures";
  const json_t *const list = json_object_get(file->root, key), *const first = json_array_get(list, 0);
  if (!json_file_has(file, key) || (json_is_array(list) && json_array_size(list) == 0)) return ATTCERT_OK;
  if (!json_is_string(first) || json_array_size(list) != 1 ||
      json_string_length(first) >= sizeof config->architecture || json_string_length(first) == 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is no list of one name, expected such as [\"BertModel\"]",
                        file->path, key);
  snprintf(config->architecture, sizeof config->architecture, "%s", json_string_value(first));
  return ATTCERT_OK;
}

static attcert_status read_problem(head_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "problem_type";
  static const char *const names[] = {[PROBLEM_SINGLE_LABEL] = "single_label_classification",
                                      [PROBLEM_MULTI_LABEL] = "multi_label_classification",
                                      [PROBLEM_REGRESSION] = "regression"};
  const char *name;
  if (!json_file_has(file, key)) return ATTCERT_OK;
  const attcert_status status = json_file_string(&name, file, key, err);
  if (status != ATTCERT_OK) return status;
  for (head_problem p = PROBLEM_SINGLE_LABEL; p <= PROBLEM_REGRESSION; p++) {
    if (strcmp(name, names[p]) == 0) config->problem = p;
  }
  if (config->problem != PROBLEM_UNSAID) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected %s or %s", file->path, key, name,
                      names[PROBLEM_SINGLE_LABEL], names[PROBLEM_MULTI_LABEL]);
}

/* Null, there is none; absent, it is what transformers has for the family. */
static attcert_status read_padding(head_config *config, const json_file *file, const model_family *family,
                                   attcert_error *err) {
  static const char key[] = "pad_token_id";
  if (family->defaults.padding > 0 && json_object_get(file->root, key) == NULL)
    config->padding = family->defaults.padding;
  return json_file_optional_int(&config->padding, file, key, -1, INT_MAX, err);
}

attcert_status head_config_read(head_config *config, const json_file *file, const model_family *family,
                                attcert_error *err) {
  *config = (head_config){.padding = -1};
  attcert_status status = read_architecture(config, file, err);
  if (status == ATTCERT_OK) status = read_problem(config, file, err);
  if (status == ATTCERT_OK) status = read_padding(config, file, family, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&config->labels, file, "num_labels", 1, INT_MAX, err);
  return status == ATTCERT_OK ? label_names_read(&config->names, file, err) : status;
}
