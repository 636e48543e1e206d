/* .npy files to matrices. */
#include "model/format/npy.h"

#include "model/format/mapped_file.h"
#include "model/format/npy_data.h"

attcert_status npy_from_bytes(attcert_matrix *m, const unsigned char *bytes, size_t size, const char *label,
                              attcert_error *err) {
  *m = (attcert_matrix){0, 0, NULL};
  npy_header header;
  const npy_verdict verdict = npy_header_parse(&header, bytes, size);
  if (verdict != NPY_OK) return attcert_fail(err, ATTCERT_INPUT, "%s: %s", label, npy_verdict_text(verdict));
  attcert_status status = npy_data_check(&header, size, label, err);
  if (status != ATTCERT_OK) return status;
  const int rows = header.rank == 1 ? 1 : (int)header.shape[0], cols = (int)header.shape[header.rank - 1];
  status = attcert_matrix_init(m, rows, cols, err);
  if (status != ATTCERT_OK) return status;
  status = npy_data_read(m->data, &header, bytes, (size_t)rows * (size_t)cols, (size_t)cols, label, err);
  if (status != ATTCERT_OK) attcert_matrix_clear(m);
  return status;
}

attcert_status npy_read(attcert_matrix *m, char *sha256, const char *path, attcert_error *err) {
  *m = (attcert_matrix){0, 0, NULL};
  mapped_file file;
  attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = npy_from_bytes(m, file.data, file.size, path, err);
  if (status == ATTCERT_OK && sha256 != NULL) {
    status = mapped_file_digest(sha256, &file, path, err);
    if (status != ATTCERT_OK) attcert_matrix_clear(m);
  }
  mapped_file_close(&file);
  return status;
}
