#include "certify/explicit/explicit_gram_digits.h"

#include "certify/explicit/explicit_gram.h"
#include "linalg/rounding/binary_exponent.h"

static long ceil_log2(int n) {
  long bits = 0;
  while ((INT64_C(1) << bits) < n) bits++;
  return bits;
}

/* ceil(log2(sqrt(m k))) or one more. */
static long half_bits(int m, int k) {
  return (ceil_log2(m) + ceil_log2(k) + 1) / 2;
}

/* x - e bits for an entry, and ||A~||_F, which is at most sqrt(m k) times as large, is to fit with a bit to spare, as
 * no pivot is tried beyond it. */
size_t explicit_gram_digits(int m, int k) {
  const long bits = EXPLICIT_GRAM_PRECISION + 2 + ceil_log2(m) + (ceil_log2(k) + 1) / 2 + half_bits(m, k) + 1;
  return ((size_t)bits + FIXED_DIGIT_BITS - 1) / FIXED_DIGIT_BITS;
}

/* x; 0 for the zero matrix, of which nothing is rounded. */
static long largest_exponent(const explicit_jacobian *j) {
  long largest = EXPONENT_OF_ZERO;
  const size_t count = (size_t)j->rows * (size_t)j->cols;
  for (size_t i = 0; i < count; i++) largest = exponent_max(largest, exponent_of_endpoint(j->mid[i].v));
  return largest == EXPONENT_OF_ZERO ? 0 : largest;
}

long explicit_gram_unit_exponent(const explicit_jacobian *j, size_t digits) {
  return largest_exponent(j) + half_bits(j->rows, j->cols) + 1 - FIXED_DIGIT_BITS * (long)digits;
}

uint64_t explicit_gram_room(int m, int k) {
  const size_t digits = explicit_gram_digits(m, k);
  const uint64_t rounded = fixed_matrix_bytes((size_t)m, (size_t)k, digits),
                 product = fixed_matrix_bytes(explicit_gram_index(m, 0), 1, 2 * digits);
  return rounded > UINT64_MAX - product ? UINT64_MAX : rounded + product;
}

uint64_t explicit_gram_bytes(const attcert_layer *layer, int n) {
  const int m = n * (layer->out_dim < layer->dim ? layer->out_dim : layer->dim);
  const int k = n * (layer->out_dim < layer->dim ? layer->dim : layer->out_dim);
  return explicit_gram_room(m, k);
}
