/* Dispatch between the safetensors reader and random initialisation. */
#include "model/tensor_source.h"

#include "model/random_tensor.h"

#include <stdio.h>
#include <string.h>

void tensor_name(char name[TENSOR_NAME_SIZE], const char *base, const char *suffix) {
  snprintf(name, TENSOR_NAME_SIZE, "%s.%s", base, suffix);
}

tensor_source tensor_source_beside(const tensor_source *source) {
  tensor_source beside = *source;
  beside.prefix = "";
  beside.alias = NULL;
  return beside;
}

/* The file with the tensor, and in `stored` its name there; NULL, and the name it should have, where there is none. */
static const safetensors *find_file(char stored[TENSOR_NAME_SIZE], const tensor_source *source, const char *bare) {
  char other[TENSOR_NAME_SIZE] = "";
  snprintf(stored, TENSOR_NAME_SIZE, "%s%s%s", source->wrapper, source->prefix, bare);
  const safetensors *file = tensor_files_find(source->files, stored);
  if (file != NULL) return file;
  const char *const tied = tensor_files_tied(source->files, stored);
  if (tied != NULL)
    snprintf(other, sizeof other, "%s", tied);
  else if (source->alias != NULL && strcmp(bare, source->table) == 0)
    snprintf(other, sizeof other, "%s%s", source->wrapper, source->alias);
  file = tensor_files_find(source->files, other);
  if (file != NULL) memcpy(stored, other, sizeof other);
  return file;
}

/* As find_file; ATTCERT_INPUT where there is none. */
static attcert_status require_file(const safetensors **file, char stored[TENSOR_NAME_SIZE], const tensor_source *source,
                                   const char *bare, attcert_error *err) {
  *file = find_file(stored, source, bare);
  return *file != NULL ? ATTCERT_OK : tensor_files_require(file, source->files, stored, err);
}

static void fill_seeded(double *out, const tensor_source *source, const char *name, uint64_t first, size_t count) {
  random_tensor_fill(out, source->config, source->seed, name, first, count);
}

bool tensor_source_stores(const tensor_source *source, const char *name) {
  char stored[TENSOR_NAME_SIZE];
  return source->files != NULL && find_file(stored, source, name) != NULL;
}

const safetensors_tensor *tensor_source_tensor(const tensor_source *source, const char *name) {
  char stored[TENSOR_NAME_SIZE];
  const safetensors *const file = source->files != NULL ? find_file(stored, source, name) : NULL;
  return file != NULL ? safetensors_find(file, stored) : NULL;
}

bool tensor_source_is_table(const tensor_source *source, const char *stored) {
  char name[TENSOR_NAME_SIZE];
  return source->table != NULL && find_file(name, source, source->table) != NULL && strcmp(name, stored) == 0;
}

attcert_status tensor_source_shape(int *rows, int *cols, const tensor_source *source, const char *name,
                                   attcert_error *err) {
  char stored[TENSOR_NAME_SIZE];
  const safetensors *file;
  const attcert_status status = require_file(&file, stored, source, name, err);
  return status == ATTCERT_OK ? safetensors_matrix_shape(rows, cols, file, stored, err) : status;
}

attcert_status tensor_source_check_shape(const tensor_source *source, const char *name, int rows, int cols,
                                         attcert_error *err) {
  if (source->files == NULL) return ATTCERT_OK;
  int actual_rows, actual_cols;
  const attcert_status status = tensor_source_shape(&actual_rows, &actual_cols, source, name, err);
  if (status != ATTCERT_OK || (actual_rows == rows && actual_cols == cols)) return status;
  char stored[TENSOR_NAME_SIZE];
  const safetensors *const file = find_file(stored, source, name);
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
  const attcert_status status = require_file(&file, stored, source, name, err);
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
  const attcert_status status = require_file(&file, stored, source, name, err);
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
  const attcert_status status = require_file(&file, stored, source, name, err);
  return status == ATTCERT_OK ? safetensors_read_rows(out, file, stored, row, 1, cols, err) : status;
}
