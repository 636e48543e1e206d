/* Sizes of blocks, and how a block is divided among its numbers. */
#include "interval/mpfr_block.h"

size_t mpfr_block_bytes(size_t count, mpfr_prec_t precision) {
  const size_t each = sizeof(mpfr_t) + mpfr_custom_get_size(precision);
  return count > SIZE_MAX / each ? SIZE_MAX : count * each;
}

void mpfr_block_zeros(mpfr_ptr numbers, char *limbs, size_t count, mpfr_prec_t precision) {
  const size_t size = mpfr_custom_get_size(precision);
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant zeros: \forall integer j; 0 <= j < i ==> zero(numbers + j) && precision(numbers + j) == precision;
      loop assigns i, numbers[0 .. count - 1];
      loop variant count - i; */
  for (size_t i = 0; i < count; i++) {
    //@ assert room: 0 <= i * size && i * size + size <= count * size;
    mpfr_custom_init_set(numbers + i, MPFR_ZERO_KIND, 0, precision, limbs + i * size);
  }
}
