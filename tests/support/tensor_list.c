/* Tensors by name, owned by the list. */
#include "tensor_list.h"

#include "safetensors_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CAPACITY = sizeof((tensor_list *)NULL)->tensor / sizeof(named_tensor) };

double *tensor_list_add(tensor_list *list, const char *name, int rows, int cols) {
  assert_true(list->count < CAPACITY);
  named_tensor *const t = &list->tensor[list->count++];
  *t = (named_tensor){.rows = rows, .cols = cols};
  snprintf(t->name, sizeof t->name, "%s", name);
  t->data = calloc((size_t)rows * (size_t)(cols > 0 ? cols : 1), sizeof(double));
  assert_non_null(t->data);
  return t->data;
}

static size_t index_of(const tensor_list *list, const char *name) {
  size_t i = 0;
  while (i < list->count && strcmp(list->tensor[i].name, name) != 0) i++;
  if (i == list->count) fail_msg("the test has no tensor %s", name);
  return i;
}

named_tensor *tensor_list_at(tensor_list *list, const char *name) {
  return &list->tensor[index_of(list, name)];
}

double *tensor_list_find(const tensor_list *list, const char *name) {
  return list->tensor[index_of(list, name)].data;
}

void tensor_list_remove(tensor_list *list, const char *name) {
  const size_t i = index_of(list, name);
  free(list->tensor[i].data);
  list->tensor[i] = list->tensor[--list->count];
}

void tensor_list_clear(tensor_list *list) {
  for (size_t i = 0; i < list->count; i++) free(list->tensor[i].data);
  list->count = 0;
}

void tensor_list_write(const tensor_list *list, const temp_folder *folder, const char *prefix) {
  test_tensor tensors[CAPACITY];
  char names[CAPACITY][192];
  for (size_t i = 0; i < list->count; i++) {
    const named_tensor *const t = &list->tensor[i];
    snprintf(names[i], sizeof names[i], "%s%s", prefix, t->name);
    tensors[i] = (test_tensor){names[i], t->rows, t->cols, t->data};
  }
  const file_bytes file = safetensors_build(tensors, list->count, NULL);
  temp_folder_write(folder, "model.safetensors", file.bytes, file.size);
  free(file.bytes);
}
