#include "model/format/npy_integers.h"

#include "base/arrays.h"
#include "model/format/mapped_file.h"
#include "model/format/npy_dictionary.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Of a dtype such as '<i8'. */
typedef struct {
  bool is_signed, big_endian;
  size_t width; /* bytes of one */
} integer_type;

static bool read_type(integer_type *type, const unsigned char text[3]) {
  static const char widths[] = "1248";
  const bool order = text[0] == '<' || text[0] == '>' || (text[0] == '|' && text[2] == '1');
  if (!order || (text[1] != 'i' && text[1] != 'u') || text[2] == '\0' || strchr(widths, text[2]) == NULL) return false;
  *type = (integer_type){text[1] == 'i', text[0] == '>', (size_t)(text[2] - '0')};
  return true;
}

/* What is wrong with a file whose dtype is not one of integers. */
static attcert_status refuse_type(const unsigned char *bytes, size_t size, const char *label, attcert_error *err) {
  npy_header header;
  npy_stretch dtype;
  const npy_verdict verdict = npy_header_parse(&header, bytes, size);
  if (verdict == NPY_NOT_NPY || verdict == NPY_VERSION || verdict == NPY_TRUNCATED)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s", label, npy_verdict_text(verdict));
  npy_dictionary_dtype(&dtype, bytes, size);
  return attcert_fail(err, ATTCERT_INPUT, "%s: expected integers, of a dtype such as '<i8' or '<i4', found '%.*s'",
                      label, (int)(dtype.last - dtype.first < 24 ? dtype.last - dtype.first : 24),
                      (const char *)bytes + dtype.first);
}

/* One integer: its distance from 0, and whether it lies below. */
static uint64_t read_magnitude(bool *negative, const unsigned char *bytes, const integer_type *type) {
  uint64_t bits = 0;
  for (size_t i = 0; i < type->width; i++) bits = bits << 8 | bytes[type->big_endian ? i : type->width - 1 - i];
  const uint64_t sign = (uint64_t)1 << (8 * type->width - 1);
  *negative = type->is_signed && (bits & sign) != 0;
  return *negative ? sign - (bits & (sign - 1)) : bits;
}

static attcert_status read_values(int *values, uint64_t count, const unsigned char *bytes, const integer_type *type,
                                  const char *label, attcert_error *err) {
  for (uint64_t i = 0; i < count; i++) {
    bool negative;
    const uint64_t magnitude = read_magnitude(&negative, bytes + i * type->width, type);
    if (negative || magnitude > INT_MAX)
      return attcert_fail(err, ATTCERT_INPUT,
                          "%s: entry %" PRIu64 " is %s%" PRIu64 ", expected an integer from 0 to %d", label, i,
                          negative ? "-" : "", magnitude, INT_MAX);
    values[i] = (int)magnitude;
  }
  return ATTCERT_OK;
}

static attcert_status check_shape(uint64_t *count, const npy_header *header, const integer_type *type, size_t size,
                                  const char *label, attcert_error *err) {
  const uint64_t found = size - header->data;
  *count = header->shape[header->rank - 1];
  if (header->rank == 2 && header->shape[0] != 1)
    return attcert_fail(err, ATTCERT_INPUT, "%s: its shape is [%" PRIu64 ", %" PRIu64 "], expected [n] or [1, n]",
                        label, header->shape[0], header->shape[1]);
  if (*count < 1 || *count > INT_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %" PRIu64 " integers, expected 1 to %d", label, *count, INT_MAX);
  if (found == *count * type->width) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: expected %" PRIu64 " bytes of integers after the header, found %" PRIu64,
                      label, *count * type->width, found);
}

attcert_status npy_integers_from_bytes(int **values, int *count, const unsigned char *bytes, size_t size,
                                       const char *label, attcert_error *err) {
  npy_header header;
  integer_type type;
  npy_stretch dtype;
  uint64_t found;
  *values = NULL;
  if (!npy_dictionary_dtype(&dtype, bytes, size) || dtype.last - dtype.first != 3 ||
      !read_type(&type, bytes + dtype.first))
    return refuse_type(bytes, size, label, err);
  attcert_status status = npy_dictionary_judge(&header, &dtype, NULL, bytes, size, label, err);
  if (status == ATTCERT_OK) status = check_shape(&found, &header, &type, size, label, err);
  if (status != ATTCERT_OK) return status;
  *values = array_new((size_t)found, sizeof **values, err, "a list of %" PRIu64 " integers", found);
  if (*values == NULL) return ATTCERT_RESOURCE;
  *count = (int)found;
  status = read_values(*values, found, bytes + header.data, &type, label, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  free(*values);
  *values = NULL;
  return status;
}

attcert_status npy_integers_read(int **values, int *count, char *sha256, const char *path, attcert_error *err) {
  mapped_file file;
  *values = NULL;
  attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = npy_integers_from_bytes(values, count, file.data, file.size, path, err);
  if (status == ATTCERT_OK && sha256 != NULL) status = mapped_file_digest(sha256, &file, path, err);
  mapped_file_close(&file);
  if (status != ATTCERT_OK) {
    free(*values);
    *values = NULL;
  }
  return status;
}
