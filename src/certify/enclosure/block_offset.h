/* The start of a block among blocks of the same size, where there may be more entries than an int counts. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_BLOCK_OFFSET_H
#define ATTCERT_CERTIFY_ENCLOSURE_BLOCK_OFFSET_H

#include <stddef.h>

#ifdef __FRAMAC__
#include "matrix/row_product_lemmas.acsl"
#endif

/* Block number `index`, of `size` entries each. */
/*@ requires countable: 0 <= index <= DIM_MAX * DIM_MAX && 0 <= size <= DIM_MAX * DIM_MAX;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(index, size) && 0 <= \result; */
static inline size_t block_offset(size_t index, size_t size) {
  //@ assert product: index * size == row(index, size);
  return index * size;
}

#endif
