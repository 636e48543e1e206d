/* Assumes a little-endian machine with binary64 doubles, as every one the tests run on. */
#include "safetensors_writer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

file_bytes safetensors_raw(const char *header, const void *data, size_t data_size) {
  const uint64_t length = strlen(header);
  file_bytes file = {NULL, sizeof length + length + data_size};
  file.bytes = malloc(file.size);
  if (file.bytes == NULL) abort();
  memcpy(file.bytes, &length, sizeof length);
  memcpy(file.bytes + sizeof length, header, length);
  if (data_size != 0) memcpy(file.bytes + sizeof length + length, data, data_size);
  return file;
}

static size_t tensor_bytes(const test_tensor *t) {
  return sizeof(double) * (size_t)t->rows * (size_t)(t->cols == 0 ? 1 : t->cols);
}

file_bytes safetensors_build(const test_tensor *tensors, size_t count, const char *metadata) {
  char *header = NULL, *data = NULL;
  size_t header_size = 0, data_size = 0;
  FILE *const header_stream = open_memstream(&header, &header_size);
  FILE *const data_stream = open_memstream(&data, &data_size);
  if (header_stream == NULL || data_stream == NULL) abort();
  size_t begin = 0;
  fputc('{', header_stream);
  if (metadata != NULL) fprintf(header_stream, "\"__metadata__\":%s", metadata);
  for (size_t i = 0; i < count; i++) {
    const test_tensor *const t = &tensors[i];
    const size_t end = begin + tensor_bytes(t);
    fprintf(header_stream, "%s\"%s\":{\"dtype\":\"F64\",\"shape\":[%d", i == 0 && metadata == NULL ? "" : ",", t->name,
            t->rows);
    if (t->cols != 0) fprintf(header_stream, ",%d", t->cols);
    fprintf(header_stream, "],\"data_offsets\":[%zu,%zu]}", begin, end);
    fwrite(t->numbers, 1, end - begin, data_stream);
    begin = end;
  }
  fputc('}', header_stream);
  fclose(header_stream);
  fclose(data_stream);
  const file_bytes file = safetensors_raw(header, data, data_size);
  free(header);
  free(data);
  return file;
}
