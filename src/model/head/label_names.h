/* The names of a classifier's labels: key 'id2label' of config.json, {"0": "negative", "1": "positive"}. */
#ifndef ATTCERT_MODEL_HEAD_LABEL_NAMES_H
#define ATTCERT_MODEL_HEAD_LABEL_NAMES_H

#include "model/format/json_file.h"

typedef struct {
  int count; /* 0: the file has none */
  char **name;
} label_names;

/* Every label from 0 on has one name. Errors: ATTCERT_INPUT (no such object, a number left out), ATTCERT_RESOURCE.
 * label_names_clear is due in every case. */
attcert_status label_names_read(label_names *names, const json_file *file, attcert_error *err);
void label_names_clear(label_names *names);

/* NULL: label k has no name. */
const char *label_names_at(const label_names *names, int k);

/* How many labels have the name; *label is the first of them. */
int label_names_find(int *label, const label_names *names, const char *name);

#endif
