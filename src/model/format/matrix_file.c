#include "model/format/matrix_file.h"

#include "model/format/mapped_file.h"
#include "model/format/npy.h"
#include "model/format/safetensors.h"
#include "model/format/safetensors_entries.h"

#include <limits.h>
#include <math.h>
#include <string.h>

attcert_status matrix_file_is_npy(bool *npy, const char *path, attcert_error *err) {
  static const char magic[] = "\x93NUMPY";
  mapped_file file;
  const attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  *npy = file.size >= sizeof magic - 1 && memcmp(file.data, magic, sizeof magic - 1) == 0;
  mapped_file_close(&file);
  return ATTCERT_OK;
}

/* The sides of the tensor as a matrix; false: it is none. */
static bool matrix_sides(int *rows, int *cols, const safetensors_tensor *t) {
  const bool batch = t->rank == 3 && t->shape[0] == 1;
  if (t->rank != 1 && t->rank != 2 && !batch) return false;
  const uint64_t n = t->rank == 1 ? 1 : t->shape[t->rank - 2], d = t->shape[t->rank - 1];
  if (n < 1 || n > INT_MAX || d < 1 || d > INT_MAX) return false;
  *rows = (int)n;
  *cols = (int)d;
  return true;
}

static attcert_status read_tensor(attcert_matrix *m, const safetensors_tensor *t, const char *path,
                                  attcert_error *err) {
  int rows, cols;
  if (t->format == NUMBER_UNSUPPORTED)
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' has dtype %s, expected F64, F32, F16 or BF16", path,
                        t->name, t->dtype);
  if (!matrix_sides(&rows, &cols, t))
    return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' is no matrix, expected the shape [n, d] or [1, n, d]",
                        path, t->name);
  const attcert_status status = attcert_matrix_init(m, rows, cols, err);
  if (status != ATTCERT_OK) return status;
  const size_t width = (size_t)cols, count = (size_t)rows * width, bad = safetensors_decode(m->data, t, 0, count);
  if (bad == count) return ATTCERT_OK;
  const bool nan = isnan(m->data[bad]);
  attcert_matrix_clear(m);
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s': entry [%zu, %zu] is %s, expected a finite number", path,
                      t->name, bad / width, bad % width, nan ? "NaN" : "infinite");
}

static attcert_status read_safetensors(attcert_matrix *m, char *sha256, const char *path, attcert_error *err) {
  safetensors *file;
  attcert_status status = safetensors_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  if (safetensors_count(file) == 1)
    status = read_tensor(m, safetensors_at(file, 0), path, err);
  else
    status =
        attcert_fail(err, ATTCERT_INPUT, "%s: %zu tensors, expected one, the matrix", path, safetensors_count(file));
  if (status == ATTCERT_OK && sha256 != NULL) status = safetensors_digest(sha256, file, err);
  if (status != ATTCERT_OK) attcert_matrix_clear(m);
  safetensors_close(file);
  return status;
}

attcert_status matrix_file_read(attcert_matrix *m, char *sha256, const char *path, attcert_error *err) {
  bool npy = false;
  *m = (attcert_matrix){0, 0, NULL};
  const attcert_status status = matrix_file_is_npy(&npy, path, err);
  if (status != ATTCERT_OK) return status;
  return npy ? npy_read(m, sha256, path, err) : read_safetensors(m, sha256, path, err);
}
