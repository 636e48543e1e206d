#include "head_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void head_folder_init(head_folder *p, const char *type) {
  p->r = random_source_make(1, 0, 0);
  for (int i = 0; tiny_body_init(&p->body, i, &p->r); i++) {
    if (strcmp(p->body.type, type) == 0) break;
    tiny_body_clear(&p->body);
  }
  assert_string_equal(p->body.type, type);
  temp_folder_init(&p->folder);
}

void head_folder_clear(head_folder *p) {
  tiny_body_clear(&p->body);
  temp_folder_clear(&p->folder);
}

double *head_folder_add(head_folder *p, const char *name, int rows, int cols) {
  double *const data = tensor_list_add(&p->body.tensors, name, rows, cols);
  random_fill_gaussian(data, (size_t)rows * (size_t)(cols > 0 ? cols : 1), 1.0, &p->r);
  return data;
}

void head_folder_add_map(head_folder *p, const char *name, int rows) {
  char full[96];
  snprintf(full, sizeof full, "%s.weight", name);
  head_folder_add(p, full, rows, p->body.dim);
  snprintf(full, sizeof full, "%s.bias", name);
  head_folder_add(p, full, rows, 0);
}

void head_folder_bert(head_folder *p, int rows) {
  head_folder_init(p, "bert");
  head_folder_add_map(p, "pooler.dense", p->body.dim);
  head_folder_add_map(p, "classifier", rows);
}

attcert_status head_folder_open(model_head *head, const head_folder *p, const char *keys, const char *architecture,
                                attcert_error *err) {
  model *m;
  tiny_body_write(&p->folder, &p->body, keys, true);
  if (model_open(&m, p->folder.path, 0, err) != ATTCERT_OK) fail_msg("%s", err->message);
  const attcert_status status = model_head_open(head, m, architecture, err);
  if (status != ATTCERT_OK) model_head_clear(head);
  model_close(m);
  return status;
}

void head_folder_refuses(const head_folder *p, const char *keys, const char *architecture, const char *word,
                         const char *other) {
  model_head head;
  attcert_error err = {0};
  if (head_folder_open(&head, p, keys, architecture, &err) != ATTCERT_INPUT)
    fail_msg("%s %s: not refused", p->body.type, keys);
  if (strstr(err.message, word) == NULL || strstr(err.message, other) == NULL ||
      strstr(err.message, "expected") == NULL)
    fail_msg("\"%s\" does not say %s and %s", err.message, word, other);
}

void head_folder_opens(const head_folder *p, const char *keys, const char *architecture, const char *text) {
  model_head head;
  attcert_error err = {0};
  char found[MODEL_HEAD_TEXT_SIZE];
  if (head_folder_open(&head, p, keys, architecture, &err) != ATTCERT_OK) fail_msg("%s: %s", keys, err.message);
  assert_string_equal(model_head_text(found, &head, HEAD_TOKEN_UNASKED), text);
  model_head_clear(&head);
}
