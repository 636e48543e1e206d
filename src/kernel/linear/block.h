/* The start of a block among equal blocks, as a size_t: where an int is too small for the offset. */
#ifndef ATTCERT_KERNEL_LINEAR_BLOCK_H
#define ATTCERT_KERNEL_LINEAR_BLOCK_H

#include <stddef.h>

#ifdef __FRAMAC__
#include "matrix/index_lemmas.acsl"
#endif

/* Block i of `count` blocks of `size` entries; i = count is one past the end. */
/*@ requires sides: 0 <= i <= count <= DIM_MAX * DIM_MAX && 0 <= size <= 8 * DIM_MAX * DIM_MAX;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(i, size);
    ensures start: 0 <= \result <= row(count, size);
    ensures end: i < count ==> \result + size <= row(count, size); */
static inline size_t block_offset(size_t i, size_t size, size_t count) {
  (void)count; /* only the proof needs it */
  return i * size;
}

#endif
