/* What config.json says of a model's head, in the keys architectures, problem_type, num_labels, id2label and
 * pad_token_id. label2id is the inverse of id2label and not read. */
#ifndef ATTCERT_MODEL_HEAD_HEAD_CONFIG_H
#define ATTCERT_MODEL_HEAD_HEAD_CONFIG_H

#include "model/family/family.h"
#include "model/head/label_names.h"

typedef enum { PROBLEM_UNSAID, PROBLEM_SINGLE_LABEL, PROBLEM_MULTI_LABEL, PROBLEM_REGRESSION } head_problem;

typedef struct {
  char architecture[96]; /* empty: none is named */
  head_problem problem;
  int labels;  /* num_labels; 0: unsaid */
  int padding; /* the token that fills up a batch's rows; -1: none */
  label_names names;
} head_config;

/* Errors: ATTCERT_INPUT (the file, the key, what was expected), ATTCERT_RESOURCE. label_names_clear is due in every
 * case. */
attcert_status head_config_read(head_config *config, const json_file *file, const model_family *family,
                                attcert_error *err);

#endif
