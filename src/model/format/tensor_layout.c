/* Checked arithmetic of shapes: a * b exceeds M exactly when a > floor(M / b), for b > 0. */
#include "model/format/tensor_layout.h"

bool tensor_product(uint64_t *product, uint64_t a, uint64_t b) {
  if (b != 0 && a > UINT64_MAX / b) return false;
  *product = a * b;
  return true;
}

bool tensor_count(uint64_t *count, const uint64_t *shape, int rank) {
  *count = 1;
  /*@ loop invariant range: 0 <= i <= rank;
      loop invariant count: *count == shape_count{Pre}(shape, i);
      loop invariant fits: shape_fits{Pre}(shape, i);
      loop assigns i, *count;
      loop variant rank - i; */
  for (int i = 0; i < rank; i++) {
    if (!tensor_product(count, *count, shape[i])) {
      /*@ assert too_large: UINT64_MAX < shape_count{Pre}(shape, i + 1); */
      return false;
    }
  }
  return true;
}

bool tensor_size(uint64_t *size, uint64_t count, uint64_t bits) {
  uint64_t total;
  if (!tensor_product(&total, count, bits) || total % 8 != 0) return false;
  *size = total / 8;
  return true;
}

bool tensor_range_inside(tensor_range range, uint64_t size) {
  return range.begin <= range.end && range.end <= size;
}
