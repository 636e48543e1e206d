/* Dispatch between the safetensors reader and random initialisation. */
#include "model/tensor_source.h"

#include "model/random_tensor.h"

#include <stdio.h>

void tensor_name(char name[TENSOR_NAME_SIZE], const char *base, const char *suffix) {
  snprintf(name, TENSOR_NAME_SIZE, "%s.%s", base, suffix);
}

static const char *stored_name(char name[TENSOR_NAME_SIZE], const tensor_source *source, const char *bare) {
  snprintf(name, TENSOR_NAME_SIZE, "%s%s", source->prefix, bare);
  return name;
}

static void fill_seeded(double *out, const tensor_source *source, const char *name, uint64_t first, size_t count) {
  random_tensor_fill(out, source->config, source->seed, name, first, count);
}

bool tensor_source_stores(const tensor_source *source, const char *name) {
  char stored[TENSOR_NAME_SIZE];
  return source->files != NULL && tensor_files_find(source->files, stored_name(stored, source, name)) != NULL;
}

attcert_status tensor_source_shape(int *rows, int *cols, const tensor_source *source, const char *name,
                                   attcert_error *err) {
  char stored[TENSOR_NAME_SIZE];
  const safetensors *file;
  const attcert_status status = tensor_files_require(&file, source->files, stored_name(stored, source, name), err);
  return status == ATTCERT_OK ? safetensors_matrix_shape(rows, cols, file, stored, err) : status;
}

attcert_status tensor_source_check_shape(const tensor_source *source, const char *name, int rows, int cols,
                                         attcert_error *err) {
  if (source->files == NULL) return ATTCERT_OK;
  int actual_rows, actual_cols;
  const attcert_status status = tensor_source_shape(&actual_rows, &actual_cols, source, name, err);
  if (status != ATTCERT_OK || (actual_rows == rows && actual_cols == cols)) return status;
  char stored[TENSOR_NAME_SIZE];
  const safetensors *const file = tensor_files_find(source->files, stored_name(stored, source, name));
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' has shape [%d, %d], but config.json asks for [%d, %d]",
                      safetensors_path(file), stored, actual_rows, actual_cols, rows, cols);
}

attcert_status tensor_source_vector(double *out, const tensor_source *source, const char *name, int length,
                                    attcert_error *err) {
  char stored[TENSOR_NAME_SIZE];
  const safetensors *file;
  if (source->files == NULL) {
    fill_seeded(out, source, name, 0, (size_t)length);
    return ATTCERT_OK;
  }
  const attcert_status status = tensor_files_require(&file, source->files, stored_name(stored, source, name), err);
  return status == ATTCERT_OK ? safetensors_read_vector(out, file, stored, length, err) : status;
}

attcert_status tensor_source_matrix(double *out, const tensor_source *source, const char *name, int rows, int cols,
                                    attcert_error *err) {
  char stored[TENSOR_NAME_SIZE];
  const safetensors *file;
  if (source->files == NULL) {
    fill_seeded(out, source, name, 0, (size_t)rows * (size_t)cols);
    return ATTCERT_OK;
  }
  const attcert_status status = tensor_files_require(&file, source->files, stored_name(stored, source, name), err);
  return status == ATTCERT_OK ? safetensors_read_matrix(out, file, stored, rows, cols, err) : status;
}

attcert_status tensor_source_row(double *out, const tensor_source *source, const char *name, int row, int cols,
                                 attcert_error *err) {
  char stored[TENSOR_NAME_SIZE];
  const safetensors *file;
  if (source->files == NULL) {
    fill_seeded(out, source, name, (uint64_t)row * (uint64_t)cols, (size_t)cols);
    return ATTCERT_OK;
  }
  const attcert_status status = tensor_files_require(&file, source->files, stored_name(stored, source, name), err);
  return status == ATTCERT_OK ? safetensors_read_rows(out, file, stored, row, 1, cols, err) : status;
}
