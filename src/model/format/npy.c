/* .npy files to matrices. */
#include "model/format/npy.h"

#include "model/format/mapped_file.h"
#include "model/format/npy_data.h"
#include "model/format/npy_layout.h"

/* The rows of a matrix whose numbers came column by column. */
static attcert_status transpose(attcert_matrix *m, attcert_error *err) {
  attcert_matrix rows;
  const attcert_status status = attcert_matrix_init(&rows, m->rows, m->cols, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < m->rows; i++) {
    for (int j = 0; j < m->cols; j++)
      rows.data[(size_t)i * (size_t)m->cols + (size_t)j] = m->data[(size_t)j * (size_t)m->rows + (size_t)i];
  }
  attcert_matrix_clear(m);
  *m = rows;
  return ATTCERT_OK;
}

/* Decodes, and says which entry of the matrix is not finite whichever way the numbers came. */
static attcert_status read_numbers(attcert_matrix *m, const npy_header *header, bool fortran,
                                   const unsigned char *bytes, const char *label, attcert_error *err) {
  const size_t rows = (size_t)m->rows, cols = (size_t)m->cols, count = rows * cols;
  const attcert_status status = npy_data_read(m->data, header, bytes, count, cols, label, err);
  if (!fortran) return status;
  const size_t bad = number_first_not_finite(m->data, count);
  if (bad == count) return transpose(m, err);
  return attcert_fail(err, ATTCERT_INPUT, "%s: entry [%zu, %zu] is %g, expected a finite number", label, bad % rows,
                      bad / rows, m->data[bad]);
}

attcert_status npy_from_bytes(attcert_matrix *m, const unsigned char *bytes, size_t size, const char *label,
                              attcert_error *err) {
  *m = (attcert_matrix){0, 0, NULL};
  npy_header header;
  bool fortran;
  attcert_status status = npy_layout_read(&header, &fortran, bytes, size, label, err);
  if (status == ATTCERT_OK) status = npy_data_check(&header, size, label, err);
  if (status != ATTCERT_OK) return status;
  const int rows = header.rank == 1 ? 1 : (int)header.shape[0], cols = (int)header.shape[header.rank - 1];
  status = attcert_matrix_init(m, rows, cols, err);
  if (status != ATTCERT_OK) return status;
  status = read_numbers(m, &header, fortran && header.rank == 2, bytes, label, err);
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
