/* .npy files to matrices and back. */
#include "model/npy.h"

#include "model/atomic_file.h"
#include "model/mapped_file.h"
#include "model/npy_header.h"
#include "model/tensor_layout.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* The numbers must fill the rest of the file exactly. */
static attcert_status check_data(const npy_header *header, size_t size, const char *label, attcert_error *err) {
  uint64_t count, data_size;
  for (int i = 0; i < header->rank; i++) {
    if (header->shape[i] < 1 || header->shape[i] > INT_MAX)
      return attcert_fail(err, ATTCERT_INPUT, "%s: side %d of its shape is %" PRIu64 ", expected 1 to %d", label, i,
                          header->shape[i], INT_MAX);
  }
  const uint64_t found = size - header->data, bits = 8 * number_format_size(header->format);
  if (!tensor_count(&count, header->shape, header->rank) || !tensor_size(&data_size, count, bits))
    return attcert_fail(err, ATTCERT_INPUT, "%s: the size of its shape exceeds 64 bits", label);
  if (data_size == found) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: %s: expected %" PRIu64 " bytes of numbers after the header, found %" PRIu64, label,
                      found < data_size ? "truncated" : "trailing bytes", data_size, found);
}

static attcert_status check_finite(const attcert_matrix *m, const char *label, attcert_error *err) {
  const size_t cols = (size_t)m->cols, count = (size_t)m->rows * cols, bad = number_first_not_finite(m->data, count);
  if (bad == count) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: entry [%zu, %zu] is %s, expected a finite number", label, bad / cols,
                      bad % cols, isnan(m->data[bad]) ? "NaN" : "infinite");
}

attcert_status npy_from_bytes(attcert_matrix *m, const unsigned char *bytes, size_t size, const char *label,
                              attcert_error *err) {
  *m = (attcert_matrix){0, 0, NULL};
  npy_header header;
  const npy_verdict verdict = npy_header_parse(&header, bytes, size);
  if (verdict != NPY_OK) return attcert_fail(err, ATTCERT_INPUT, "%s: %s", label, npy_verdict_text(verdict));
  attcert_status status = check_data(&header, size, label, err);
  if (status != ATTCERT_OK) return status;
  const int rows = header.rank == 1 ? 1 : (int)header.shape[0], cols = (int)header.shape[header.rank - 1];
  status = attcert_matrix_init(m, rows, cols, err);
  if (status != ATTCERT_OK) return status;
  number_decode(m->data, bytes + header.data, (size_t)rows * (size_t)cols, header.format);
  status = check_finite(m, label, err);
  if (status != ATTCERT_OK) attcert_matrix_clear(m);
  return status;
}

attcert_status npy_read(attcert_matrix *m, const char *path, attcert_error *err) {
  *m = (attcert_matrix){0, 0, NULL};
  mapped_file file;
  attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = npy_from_bytes(m, file.data, file.size, path, err);
  mapped_file_close(&file);
  return status;
}

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
