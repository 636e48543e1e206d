/* Matrices to .npy files. */
#include "model/format/npy.h"

#include "model/format/atomic_file.h"

#include <string.h>

/* Magic to newline: 128 bytes, so that the numbers are aligned to 64 as NumPy wants them. */
enum { WRITTEN_HEADER = 128, WRITTEN_PREFIX = 10 };

static void write_header(FILE *stream, int rows, int cols) {
  char text[WRITTEN_HEADER - WRITTEN_PREFIX];
  const int used =
      snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, cols);
  memset(text + used, ' ', sizeof text - (size_t)used - 1);
  text[sizeof text - 1] = '\n';
  fwrite("\x93NUMPY\x01\x00", 1, WRITTEN_PREFIX - 2, stream);
  fputc(sizeof text, stream);
  fputc(0, stream);
  fwrite(text, 1, sizeof text, stream);
}

static void write_number(FILE *stream, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  unsigned char bytes[sizeof bits];
  for (size_t i = 0; i < sizeof bits; i++) bytes[i] = (unsigned char)(bits >> (8 * i)); /* little-endian everywhere */
  fwrite(bytes, 1, sizeof bytes, stream);
}

attcert_status npy_write(const char *path, const attcert_matrix *m, attcert_error *err) {
  atomic_file file;
  const attcert_status status = atomic_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  write_header(file.stream, m->rows, m->cols);
  for (size_t i = 0; i < (size_t)m->rows * (size_t)m->cols; i++) write_number(file.stream, m->data[i]);
  return atomic_file_commit(&file, err);
}
