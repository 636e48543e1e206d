/* What a report describes: its files and its names. */
#include "report/subject.h"

#include "base/arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *subject_mask_name(attcert_mask mask) {
  return mask == ATTCERT_MASK_CAUSAL ? "causal" : "none";
}

const char *subject_name_text(const char *name) {
  return name != NULL ? name : "numbers in memory";
}

attcert_status subject_add_file(report_subject *subject, const char *role, const char *path, const char *sha256,
                                attcert_error *err) {
  report_file *const file = &subject->files[subject->file_count];
  if (subject->file_count == REPORT_MAX_FILES)
    return attcert_fail(err, ATTCERT_INPUT, "%s: more than %d input files, expected fewer", path, REPORT_MAX_FILES);
  snprintf(file->sha256, sizeof file->sha256, "%s", sha256);
  file->role = role;
  file->path = strdup(path);
  if (file->path == NULL) return array_out_of_memory(err, strlen(path) + 1, "the name of %s", path);
  subject->file_count++;
  return ATTCERT_OK;
}

void subject_forget_input(report_subject *subject, int count) {
  for (int i = count; i < subject->file_count; i++) free(subject->files[i].path);
  subject->file_count = count;
  token_list_clear(&subject->input_tokens);
}

void subject_clear(report_subject *subject) {
  subject_forget_input(subject, 0);
}

void subject_describe_pairs(report_subject *subject, int masks, int biases) {
  const char *const heads[] = {"all heads", "each head"};
  char mask[64] = "", bias[64] = "";
  if (masks > 0) snprintf(mask, sizeof mask, "a mask of %s, True where a key takes part", heads[masks > 1]);
  if (biases > 0) snprintf(bias, sizeof bias, "biases of %s, added to scores", heads[biases > 1]);
  snprintf(subject->pairs, sizeof subject->pairs, "%s%s%s", mask, masks > 0 && biases > 0 ? "; " : "", bias);
}
