/* The safetensors format: the header's length in 8 bytes, the lowest first; the header, JSON; the numbers. */
#include "weights_file.h"

#include "model/format/atomic_file.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  const char *name;
  const double *data; /* NULL: no such tensor */
  int rows, cols;     /* cols = 0: a vector */
} tensor;

enum { TENSORS = 8, HEADER_SIZE = 2048 };

static size_t count_of(const tensor *t) {
  return t->data == NULL ? 0 : (size_t)t->rows * (size_t)(t->cols == 0 ? 1 : t->cols);
}

static void list_tensors(tensor list[TENSORS], const attcert_layer *l) {
  const int rows = l->heads * l->head_dim;
  const tensor all[TENSORS] = {
      {"query.weight", l->query_weight, rows, l->dim},       {"query.bias", l->query_bias, rows, 0},
      {"key.weight", l->key_weight, rows, l->dim},           {"key.bias", l->key_bias, rows, 0},
      {"value.weight", l->value_weight, rows, l->dim},       {"value.bias", l->value_bias, rows, 0},
      {"output.weight", l->output_weight, l->out_dim, rows}, {"output.bias", l->output_bias, l->out_dim, 0}};
  memcpy(list, all, sizeof all);
}

/* Eight tensors take less than HEADER_SIZE. */
static size_t write_header(char header[HEADER_SIZE], const tensor *list, int heads) {
  size_t used = (size_t)snprintf(header, HEADER_SIZE, "{\"__metadata__\":{\"num_heads\":\"%d\"}", heads), offset = 0;
  for (int i = 0; i < TENSORS; i++) {
    const tensor *const t = &list[i];
    const size_t end = offset + count_of(t) * sizeof(double);
    if (t->data == NULL) continue;
    used += (size_t)snprintf(header + used, HEADER_SIZE - used, ",\"%s\":{\"dtype\":\"F64\",\"shape\":[%d", t->name,
                             t->rows);
    if (t->cols != 0) used += (size_t)snprintf(header + used, HEADER_SIZE - used, ",%d", t->cols);
    used += (size_t)snprintf(header + used, HEADER_SIZE - used, "],\"data_offsets\":[%zu,%zu]}", offset, end);
    offset = end;
  }
  return used + (size_t)snprintf(header + used, HEADER_SIZE - used, "}");
}

static void put_little_endian(FILE *out, uint64_t bits) {
  for (int byte = 0; byte < 8; byte++) fputc((int)(bits >> 8 * byte & 0xff), out);
}

attcert_status weights_file_write(const char *path, const attcert_layer *layer, attcert_error *err) {
  tensor list[TENSORS];
  char header[HEADER_SIZE];
  atomic_file file;
  attcert_status status = atomic_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  list_tensors(list, layer);
  const size_t length = write_header(header, list, layer->heads);
  put_little_endian(file.stream, length);
  fwrite(header, 1, length, file.stream);
  for (int i = 0; i < TENSORS; i++) {
    for (size_t j = 0; j < count_of(&list[i]); j++) {
      uint64_t bits;
      memcpy(&bits, &list[i].data[j], sizeof bits);
      put_little_endian(file.stream, bits);
    }
  }
  return atomic_file_commit(&file, err);
}
