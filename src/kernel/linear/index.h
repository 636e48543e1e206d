/* The start of a row in a row-major matrix, as an int: the one place that proves that no offset overflows. */
#ifndef ATTCERT_KERNEL_LINEAR_INDEX_H
#define ATTCERT_KERNEL_LINEAR_INDEX_H

#ifdef __FRAMAC__
#include "matrix/index_lemmas.acsl"
#endif

/* Row i of a rows x cols matrix; i = rows is one past the end. */
/*@ requires sides: side(rows) && side(cols) && 0 <= i <= rows;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(i, cols);
    ensures start: 0 <= \result <= row(rows, cols) <= DIM_MAX * DIM_MAX;
    ensures end: i < rows ==> \result + cols <= row(rows, cols); */
static inline int row_offset(int i, int cols, int rows) {
  (void)rows; /* only the proof needs it */
  return i * cols;
}

#endif
