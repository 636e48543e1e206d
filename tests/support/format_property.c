/* The bytes should lie in a heap block of exactly their size, so that the address sanitizer sees a read out of
 * bounds. */
#include "format_property.h"

#include "model/format/npy.h"
#include "model/format/npy_array.h"
#include "model/format/npy_integers.h"
#include "model/format/safetensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *refusal(attcert_status status, const attcert_error *err) {
  if (status != ATTCERT_INPUT || err->status != status) return "refused with another status than ATTCERT_INPUT";
  if (strncmp(err->message, "fuzzed: ", 8) != 0) return "refused without naming the file";
  return strpbrk(err->message, "\n\r\t\x1b") != NULL ? "refused in more than one line" : NULL;
}

static bool all_finite(const double *numbers, size_t count) {
  size_t finite = 0;
  for (size_t i = 0; i < count; i++) finite += isfinite(numbers[i]) != 0;
  return finite == count;
}

/* Reads a tensor whole, as the vector or matrix it is. */
static const char *read_tensor(const safetensors *file, const safetensors_tensor *t) {
  if (t->rank != 1 && t->rank != 2) return NULL;
  if (t->count > t->range.end - t->range.begin) return NULL; /* less than a byte a number: only of unsupported dtypes */
  double *const out = calloc((size_t)t->count + 1, sizeof *out);
  if (out == NULL) return "out of memory";
  attcert_error err;
  int rows = (int)t->shape[0], cols = 0;
  attcert_status status;
  if (t->rank == 1)
    status = safetensors_read_vector(out, file, t->name, rows, &err);
  else if ((status = safetensors_matrix_shape(&rows, &cols, file, t->name, &err)) == ATTCERT_OK)
    status = safetensors_read_matrix(out, file, t->name, rows, cols, &err);
  const char *const complaint = status != ATTCERT_OK                 ? refusal(status, &err)
                                : !all_finite(out, (size_t)t->count) ? "read a number that is not finite"
                                                                     : NULL;
  free(out);
  return complaint;
}

/* The ranges tile the data, and each byte of them can be read. */
static const char *check_tensors(const safetensors *file) {
  uint64_t covered = 0;
  volatile unsigned char byte = 0;
  for (size_t i = 0; i < safetensors_count(file); i++) {
    const safetensors_tensor *const t = safetensors_at(file, i);
    if (t->range.begin != covered || t->range.end < covered) return "the ranges do not tile the data";
    covered = t->range.end;
    for (uint64_t b = 0; b < t->range.end - t->range.begin; b++) byte = t->bytes[b];
    const char *const complaint = read_tensor(file, t);
    if (complaint != NULL) return complaint;
  }
  (void)byte;
  return NULL;
}

const char *safetensors_property(bool *accepted, const unsigned char *bytes, size_t size) {
  safetensors *file;
  attcert_error err;
  const attcert_status status = safetensors_from_bytes(&file, bytes, size, "fuzzed", &err);
  *accepted = status == ATTCERT_OK;
  if (!*accepted) return file != NULL ? "refused but left a file open" : refusal(status, &err);
  const char *const complaint = check_tensors(file);
  safetensors_close(file);
  return complaint;
}

const char *npy_property(bool *accepted, const unsigned char *bytes, size_t size) {
  attcert_matrix m;
  attcert_error err;
  const attcert_status status = npy_from_bytes(&m, bytes, size, "fuzzed", &err);
  *accepted = status == ATTCERT_OK;
  if (!*accepted) return m.data != NULL ? "refused but left a matrix" : refusal(status, &err);
  const char *complaint = NULL;
  if (m.rows < 1 || m.cols < 1)
    complaint = "accepted an empty matrix";
  else if (!all_finite(m.data, (size_t)m.rows * (size_t)m.cols))
    complaint = "accepted a number that is not finite";
  attcert_matrix_clear(&m);
  return complaint;
}

const char *npy_integers_property(bool *accepted, const unsigned char *bytes, size_t size) {
  int *values, count;
  attcert_error err;
  const attcert_status status = npy_integers_from_bytes(&values, &count, bytes, size, "fuzzed", &err);
  *accepted = status == ATTCERT_OK;
  if (!*accepted) return values != NULL ? "refused but left a list" : refusal(status, &err);
  const char *complaint = count < 1 ? "accepted an empty list" : NULL;
  for (int i = 0; i < count; i++) {
    if (values[i] < 0) complaint = "accepted a negative number";
  }
  free(values);
  return complaint;
}

const char *npy_array_property(bool *accepted, const unsigned char *bytes, size_t size) {
  npy_array a;
  attcert_error err;
  const attcert_status status = npy_array_from_bytes(&a, bytes, size, "fuzzed", &err);
  const char *complaint = NULL;
  *accepted = status == ATTCERT_OK;
  if (*accepted && (a.truth == NULL) == (a.number == NULL)) complaint = "neither booleans nor numbers, or both";
  if (*accepted && (a.rank < 1 || a.rank > NPY_ARRAY_SIDES)) complaint = "another number of sides";
  npy_array_clear(&a);
  return *accepted ? complaint : refusal(status, &err);
}
