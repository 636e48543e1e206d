#include "model/format/npy_data.h"

#include "model/format/tensor_layout.h"

#include <inttypes.h>
#include <math.h>

/* The bytes of count numbers; false when their bits exceed 64 bits. */
/*@ requires valid: \valid(bytes);
    requires format: NUMBER_F64 <= format <= NUMBER_BF16;
    terminates \true;
    assigns *bytes;
    ensures bytes: \result ==> *bytes == number_width(format) * count; */
static bool bytes_of_numbers(uint64_t *bytes, uint64_t count, number_format format) {
  const uint64_t width = number_format_size(format), bits = 8 * width;
  /*@ assert width: (width == 2 && bits == 16) || (width == 4 && bits == 32) || (width == 8 && bits == 64); */
  return tensor_size(bytes, count, bits);
}

/* The bytes of a matrix. */
/*@ requires header: \valid_read(header) && npy_header_read(header);
    requires valid: \valid(bytes) && \separated(bytes, header);
    terminates \true;
    assigns *bytes;
    ensures bytes: \result ==> *bytes == npy_bytes{Pre}(header); */
static bool bytes_of_matrix(uint64_t *bytes, const npy_header *header) {
  uint64_t count;
  if (!tensor_count(&count, header->shape, header->rank)) return false;
  /*@ assert count: count == shape_count{Pre}(&header->shape[0], header->rank); */
  return bytes_of_numbers(bytes, count, header->format);
}

attcert_status npy_data_check(const npy_header *header, size_t size, const char *label, attcert_error *err) {
  /*@ loop invariant range: 0 <= i <= header->rank;
      loop invariant sides: \forall integer j; 0 <= j < i ==> 1 <= header->shape[j] <= INT_MAX;
      loop assigns i;
      loop variant header->rank - i; */
  for (int i = 0; i < header->rank; i++) {
    if (header->shape[i] < 1 || header->shape[i] > INT_MAX)
      return attcert_fail(err, ATTCERT_INPUT, "%s: side %d of its shape is %" PRIu64 ", expected 1 to %d", label, i,
                          header->shape[i], INT_MAX);
  }
  const uint64_t found = size - header->data;
  uint64_t expected;
  if (!bytes_of_matrix(&expected, header))
    return attcert_fail(err, ATTCERT_INPUT, "%s: the size of its shape exceeds 64 bits", label);
  if (expected == found) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: %s: expected %" PRIu64 " bytes of numbers after the header, found %" PRIu64, label,
                      found < expected ? "truncated" : "trailing bytes", expected, found);
}

attcert_status npy_data_read(double *out, const npy_header *header, const unsigned char *file, size_t count,
                             size_t cols, const char *label, attcert_error *err) {
  number_decode(out, file + header->data, count, header->format);
  const size_t bad = number_first_not_finite(out, count);
  if (bad == count) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: entry [%zu, %zu] is %s, expected a finite number", label, bad / cols,
                      bad % cols, isnan(out[bad]) ? "NaN" : "infinite");
}
