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
      loop invariant live: \forall integer j; 0 <= j < i ==> lent(numbers + j);
      loop invariant room: \forall integer j; 0 <= j < i ==> digit_room(numbers + j) == limbs + j * size;
      loop invariant others: \forall mpfr_srcptr x; \separated(x, numbers + (0 .. count - 1)) ==>
        same_life{Pre, Here}(x);
      loop assigns i, numbers[0 .. count - 1], mpfr_lives;
      loop variant count - i; */
  for (size_t i = 0; i < count; i++) {
    //@ assert room: 0 <= i * size && i * size + size <= count * size;
    //@ ghost Before:;
    mpfr_custom_init_set(numbers + i, MPFR_ZERO_KIND, 0, precision, limbs + i * size);
    //@ assert others: \forall integer j; 0 <= j < i ==> same_life{Before, Here}(numbers + j);
  }
}
