/* Where blocks begin in arrays that hold one block for each token of all heads, or for each head. A file of its own, so
 * that proofs about what is written there know the places, but not the laws of products that lead to them. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_TOKEN_BLOCK_H
#define ATTCERT_CERTIFY_ENCLOSURE_TOKEN_BLOCK_H

#include <stddef.h>

#ifdef __FRAMAC__
#include "matrix/index_lemmas.acsl"
#endif

/* The block of token i of head h, of `size` entries; n tokens a head. */
/*@ requires sides: side(heads) && side(n) && side(size) && 0 <= h < heads && 0 <= i < n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(row(h, n) + i, size);
    ensures range: 0 <= \result && \result + size <= row(row(heads, n), size) <= DIM_MAX * DIM_MAX * DIM_MAX; */
size_t token_block(int h, int i, int size, int heads, int n);

/* The blocks of all tokens of head h. */
/*@ requires sides: side(heads) && side(n) && side(size) && 0 <= h < heads;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(row(h, n), size);
    ensures range: 0 <= \result && \result + row(n, size) <= row(row(heads, n), size) <= DIM_MAX * DIM_MAX * DIM_MAX;
    ensures tokens: \forall integer j; row(row(h, n) + j, size) == \result + row(j, size); */
size_t token_block_head(int h, int size, int heads, int n);

/* The matrix of head h, rows x cols. */
/*@ requires sides: side(heads) && side(rows) && side(cols) && 0 <= h < heads;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(h, row(rows, cols));
    ensures range: 0 <= \result && \result + row(rows, cols) <= row(heads, row(rows, cols)) <=
      DIM_MAX * DIM_MAX * DIM_MAX; */
size_t token_block_matrix(int h, int rows, int cols, int heads);

#endif
