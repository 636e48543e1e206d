#include "run/run_model.h"

#include "model/format/sha256.h"

#include <stdio.h>

attcert_status run_model_files(report_subject *subject, const model *m, attcert_error *err) {
  const int files = model_file_count(m);
  attcert_status status = ATTCERT_OK;
  subject->random = files == 0;
  for (int i = 0; i < files && status == ATTCERT_OK; i++) {
    char sha256[SHA256_HEX_SIZE];
    status = model_file_digest(sha256, m, i, err);
    if (status == ATTCERT_OK) status = subject_add_file(subject, "model", model_file_path(m, i), sha256, err);
  }
  return status;
}

void run_model_describe_head(report_subject *subject, const model_head *head, int token) {
  char text[MODEL_HEAD_TEXT_SIZE];
  if (head->kind == HEAD_NONE) return;
  subject->out_dim = head->labels;
  snprintf(subject->scores, sizeof subject->scores, "%s", model_head_text(text, head, token));
}

void run_model_describe(report_subject *subject, const model *m, model_function function) {
  const model_shape shape = model_get_shape(m);
  subject->function = model_function_names[function];
  subject->function_text = model_function_texts[function];
  subject->dim = subject->out_dim = shape.dim;
  subject->heads = shape.heads;
  subject->key_heads = shape.key_heads;
  subject->head_dim = shape.head_dim;
  subject->mask = shape.mask;
  model_attention_text(subject->attention, m, subject->model_layer);
}
