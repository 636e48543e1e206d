/* Tensors by name, and a writer of safetensors files (8 bytes header length, JSON header, F64 data). */
#include "tensor_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t tensor_size(const named_tensor *t) {
  return (size_t)t->rows * (size_t)(t->cols > 0 ? t->cols : 1) * sizeof(double);
}

double *tensor_list_add(tensor_list *list, const char *name, int rows, int cols) {
  assert_true(list->count < sizeof list->tensor / sizeof list->tensor[0]);
  named_tensor *t = &list->tensor[list->count++];
  *t = (named_tensor){.rows = rows, .cols = cols};
  snprintf(t->name, sizeof t->name, "%s", name);
  t->data = calloc(1, tensor_size(t));
  assert_non_null(t->data);
  return t->data;
}

static size_t index_of(const tensor_list *list, const char *name) {
  for (size_t i = 0; i < list->count; i++) {
    if (strcmp(list->tensor[i].name, name) == 0) return i;
  }
  fail_msg("no tensor %s", name);
  return list->count;
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

static int print_header(char *text, size_t size, const tensor_list *list, const char *prefix) {
  size_t offset = 0;
  int length = snprintf(text, size, "{");
  for (size_t i = 0; i < list->count; i++) {
    const named_tensor *t = &list->tensor[i];
    length += snprintf(text + length, size - (size_t)length, "%s\"%s%s\":{\"dtype\":\"F64\",\"shape\":[%d",
                       i > 0 ? "," : "", prefix, t->name, t->rows);
    if (t->cols > 0) length += snprintf(text + length, size - (size_t)length, ",%d", t->cols);
    length += snprintf(text + length, size - (size_t)length, "],\"data_offsets\":[%zu,%zu]}", offset,
                       offset + tensor_size(t));
    offset += tensor_size(t);
  }
  return length + snprintf(text + length, size - (size_t)length, "}");
}

void tensor_list_write(const tensor_list *list, const char *path, const char *prefix) {
  static char header[1 << 15];
  const int length = print_header(header, sizeof header, list, prefix);
  assert_true((size_t)length < sizeof header);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  for (int byte = 0; byte < 8; byte++) fputc((int)((uint64_t)length >> (8 * byte) & 0xff), file);
  fwrite(header, 1, (size_t)length, file);
  for (size_t i = 0; i < list->count; i++) fwrite(list->tensor[i].data, 1, tensor_size(&list->tensor[i]), file);
  assert_int_equal(fclose(file), 0);
}
