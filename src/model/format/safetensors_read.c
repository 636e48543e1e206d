/* Tensors as doubles: every number is exact, and finite or the read fails naming the entry. */
#include "model/format/safetensors.h"

#include "model/format/safetensors_entries.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { TUPLE_TEXT = 24 * SAFETENSORS_MAX_RANK }; /* 20 digits, a comma, a space a side */

/* "[3, 4]" for a shape or an index. */
static const char *format_tuple(char text[TUPLE_TEXT], const uint64_t *values, int rank) {
  size_t length = (size_t)snprintf(text, TUPLE_TEXT, "[");
  for (int i = 0; i < rank; i++)
    length += (size_t)snprintf(text + length, TUPLE_TEXT - length, "%s%" PRIu64, i == 0 ? "" : ", ", values[i]);
  snprintf(text + length, TUPLE_TEXT - length, "]");
  return text;
}

static attcert_status require(const safetensors_tensor **t, const safetensors *file, const char *name,
                              attcert_error *err) {
  *t = safetensors_find(file, name);
  if (*t != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' is missing", safetensors_path(file), name);
}

static attcert_status wrong_shape(const safetensors *file, const safetensors_tensor *t, const char *expected,
                                  attcert_error *err) {
  char shape[TUPLE_TEXT];
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' has shape %s, expected %s", safetensors_path(file), t->name,
                      format_tuple(shape, t->shape, t->rank), expected);
}

static attcert_status not_finite(const safetensors *file, const safetensors_tensor *t, uint64_t entry, double value,
                                 attcert_error *err) {
  uint64_t index[SAFETENSORS_MAX_RANK];
  for (int i = t->rank - 1; i >= 0; i--) {
    index[i] = entry % t->shape[i];
    entry /= t->shape[i];
  }
  char text[TUPLE_TEXT];
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': entry %s is %s, expected a finite number",
                      safetensors_path(file), t->name, format_tuple(text, index, t->rank),
                      isnan(value) ? "NaN" : "infinite");
}

/* Entries first .. first + count - 1 in row-major order; they exist. */
static attcert_status read_entries(double *out, const safetensors *file, const safetensors_tensor *t, size_t first,
                                   size_t count, attcert_error *err) {
  if (t->format == NUMBER_UNSUPPORTED)
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' has dtype %s, expected F64, F32, F16 or BF16",
                        safetensors_path(file), t->name, t->dtype);
  const size_t bad = safetensors_decode(out, t, first, count);
  return bad == count ? ATTCERT_OK : not_finite(file, t, first + bad, out[bad], err);
}

attcert_status safetensors_matrix_shape(int *rows, int *cols, const safetensors *file, const char *name,
                                        attcert_error *err) {
  const safetensors_tensor *t;
  const attcert_status status = require(&t, file, name, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < 2; i++) {
    if (t->rank != 2 || t->shape[i] < 1 || t->shape[i] > INT_MAX)
      return wrong_shape(file, t, "a matrix [rows, columns], sides 1 to 2147483647", err);
  }
  *rows = (int)t->shape[0];
  *cols = (int)t->shape[1];
  return ATTCERT_OK;
}

attcert_status safetensors_read_vector(double *out, const safetensors *file, const char *name, int length,
                                       attcert_error *err) {
  const safetensors_tensor *t;
  const attcert_status status = require(&t, file, name, err);
  if (status != ATTCERT_OK) return status;
  if (!safetensors_is_vector(t, length)) {
    char expected[TUPLE_TEXT];
    return wrong_shape(file, t, format_tuple(expected, (const uint64_t[]){(uint64_t)length}, 1), err);
  }
  return read_entries(out, file, t, 0, (size_t)length, err);
}

attcert_status safetensors_read_matrix(double *out, const safetensors *file, const char *name, int rows, int cols,
                                       attcert_error *err) {
  const safetensors_tensor *t;
  const attcert_status status = require(&t, file, name, err);
  if (status != ATTCERT_OK) return status;
  if (!safetensors_is_matrix(t, rows, cols)) {
    char expected[TUPLE_TEXT];
    return wrong_shape(file, t, format_tuple(expected, (const uint64_t[]){(uint64_t)rows, (uint64_t)cols}, 2), err);
  }
  return read_entries(out, file, t, 0, (size_t)rows * (size_t)cols, err);
}

attcert_status safetensors_read_rows(double *out, const safetensors *file, const char *name, int first, int count,
                                     int cols, attcert_error *err) {
  const safetensors_tensor *t;
  const attcert_status status = require(&t, file, name, err);
  if (status != ATTCERT_OK) return status;
  if (t->rank != 2 || t->shape[1] != (uint64_t)cols) {
    char expected[TUPLE_TEXT];
    snprintf(expected, sizeof expected, "[rows, %d]", cols);
    return wrong_shape(file, t, expected, err);
  }
  if (!safetensors_has_rows(t, first, count, cols))
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' has %" PRIu64 " rows, asked for rows %d to %lld",
                        safetensors_path(file), name, t->shape[0], first, (long long)first + count - 1);
  return read_entries(out, file, t, (size_t)first * (size_t)cols, (size_t)count * (size_t)cols, err);
}
