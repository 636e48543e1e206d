/* The one parser of headers (npy_header.h) knows numbers with a point: it judges a copy of the header, in which the
 * dtype of integers is written as '<f8'. What else it refuses stays refused. */
#include "model/format/npy_integers.h"

#include "base/arrays.h"
#include "model/format/byte_scanner.h"
#include "model/format/mapped_file.h"
#include "model/format/npy_header.h"
#include "model/format/npy_layout.h"

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

/* The text between the quotes of the dictionary's dtype, bytes[*first .. *last - 1]; false: there is none. */
static bool find_descr(size_t *first, size_t *last, const unsigned char *bytes, size_t size) {
  size_t begin, end;
  if (!npy_layout_find_dictionary(&begin, &end, bytes, size)) return false;
  size_t position = npy_layout_find_value(bytes + begin, end - begin, "descr");
  if (!byte_scanner_string(bytes + begin, end - begin, &position, first, last)) return false;
  *first += begin;
  *last += begin;
  return true;
}

/* What is wrong with a file whose dtype is not one of integers. */
static attcert_status refuse_type(const unsigned char *bytes, size_t size, const char *label, attcert_error *err) {
  npy_header header;
  size_t first, last;
  const npy_verdict verdict = npy_header_parse(&header, bytes, size);
  if (verdict == NPY_NOT_NPY || verdict == NPY_VERSION || verdict == NPY_TRUNCATED)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s", label, npy_verdict_text(verdict));
  if (!find_descr(&first, &last, bytes, size)) last = first = 0;
  return attcert_fail(err, ATTCERT_INPUT, "%s: expected integers, of a dtype such as '<i8' or '<i4', found '%.*s'",
                      label, (int)(last - first < 24 ? last - first : 24), (const char *)bytes + first);
}

/* The header of the matrix that a file of integers would be with the dtype '<f8', which begins at `place`. */
static attcert_status parse_header(npy_header *header, size_t place, const unsigned char *bytes, size_t size,
                                   const char *label, attcert_error *err) {
  size_t begin, end = 0;
  npy_layout_find_dictionary(&begin, &end, bytes, size);
  unsigned char *const copy = array_new(end, 1, err, "the header of %s", label);
  if (copy == NULL) return ATTCERT_RESOURCE;
  memcpy(copy, bytes, end);
  for (size_t i = 0; i < 3; i++) copy[place + i] = (unsigned char)"<f8"[i];
  const npy_verdict verdict = npy_header_parse(header, copy, end);
  free(copy);
  return verdict == NPY_OK ? ATTCERT_OK : attcert_fail(err, ATTCERT_INPUT, "%s: %s", label, npy_verdict_text(verdict));
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
  size_t first, last;
  uint64_t found;
  *values = NULL;
  if (!find_descr(&first, &last, bytes, size) || last - first != 3 || !read_type(&type, bytes + first))
    return refuse_type(bytes, size, label, err);
  attcert_status status = parse_header(&header, first, bytes, size, label, err);
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
