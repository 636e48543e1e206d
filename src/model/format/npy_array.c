#include "model/format/npy_array.h"

#include "base/arrays.h"
#include "model/format/mapped_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The product of the sides. */
static attcert_status check_sides(npy_array *a, size_t *count, const uint64_t *side, const char *label,
                                  attcert_error *err) {
  *count = 1;
  for (int i = 0; i < a->rank; i++) {
    if (side[i] < 1 || side[i] > INT_MAX || *count > SIZE_MAX / sizeof(double) / side[i])
      return attcert_fail(err, ATTCERT_INPUT, "%s: side %d of its shape is %" PRIu64 ", expected 1 to %d", label, i,
                          side[i], INT_MAX);
    a->side[i] = (int)side[i];
    *count *= (size_t)side[i];
  }
  return ATTCERT_OK;
}

static attcert_status check_bytes(size_t expected, size_t found, const char *label, attcert_error *err) {
  if (expected == found) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s: expected %zu bytes of numbers after the header, found %zu", label,
                      found < expected ? "truncated" : "trailing bytes", expected, found);
}

static attcert_status read_booleans(npy_array *a, const unsigned char *bytes, size_t count, const char *label,
                                    attcert_error *err) {
  a->truth = array_new(count, sizeof *a->truth, err, "%zu booleans", count);
  if (a->truth == NULL) return ATTCERT_RESOURCE;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] > 1)
      return attcert_fail(err, ATTCERT_INPUT, "%s: entry %zu is the byte %d, expected a boolean, 0 or 1", label, i,
                          bytes[i]);
    a->truth[i] = bytes[i] == 1;
  }
  return ATTCERT_OK;
}

static attcert_status read_numbers(npy_array *a, const unsigned char *bytes, size_t count, number_format format,
                                   const char *label, attcert_error *err) {
  a->number = array_new(count, sizeof *a->number, err, "%zu numbers of %s", count, label);
  if (a->number == NULL) return ATTCERT_RESOURCE;
  number_decode(a->number, bytes, count, format);
  return ATTCERT_OK;
}

attcert_status npy_array_from_bytes(npy_array *a, const unsigned char *bytes, size_t size, const char *label,
                                    attcert_error *err) {
  static const char boolean[] = "|b1";
  npy_header header;
  npy_stretch dtype, shape = {0, 0};
  uint64_t side[NPY_ARRAY_SIDES];
  size_t count = 0;
  *a = (npy_array){0};
  const bool shaped = npy_dictionary_shape(&a->rank, side, &shape, bytes, size);
  const bool truths = npy_dictionary_dtype(&dtype, bytes, size) && dtype.last - dtype.first == sizeof boolean - 1 &&
                      memcmp(bytes + dtype.first, boolean, sizeof boolean - 1) == 0;
  attcert_status status =
      npy_dictionary_judge(&header, truths ? &dtype : NULL, shaped ? &shape : NULL, bytes, size, label, err);
  if (status == ATTCERT_OK && !shaped)
    status = attcert_fail(err, ATTCERT_INPUT, "%s: expected an array of one to eight sides", label);
  if (status == ATTCERT_OK) status = check_sides(a, &count, side, label, err);
  if (status != ATTCERT_OK) return status;
  const size_t width = truths ? 1 : number_format_size(header.format);
  status = check_bytes(count * width, size - header.data, label, err);
  if (status != ATTCERT_OK) return status;
  return truths ? read_booleans(a, bytes + header.data, count, label, err)
                : read_numbers(a, bytes + header.data, count, header.format, label, err);
}

attcert_status npy_array_read(npy_array *a, char *sha256, const char *path, attcert_error *err) {
  mapped_file file;
  *a = (npy_array){0};
  attcert_status status = mapped_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = npy_array_from_bytes(a, file.data, file.size, path, err);
  if (status == ATTCERT_OK && sha256 != NULL) status = mapped_file_digest(sha256, &file, path, err);
  mapped_file_close(&file);
  return status;
}

void npy_array_clear(npy_array *a) {
  free(a->truth);
  free(a->number);
  *a = (npy_array){0};
}
