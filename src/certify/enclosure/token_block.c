#include "certify/enclosure/token_block.h"

#include "certify/enclosure/block_offset.h"

/* Token i of head h, among the tokens of all heads; i = n: one past the head's last. */
/*@ requires sides: side(heads) && side(n) && 0 <= h < heads && 0 <= i <= n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(h, n) + i;
    ensures head: 0 <= row(h, n) && row(h, n) + n <= row(heads, n) <= DIM_MAX * DIM_MAX; */
static size_t token_number(int h, int i, int heads, int n) {
  (void)heads; /* only the proof needs it */
  //@ assert inside: 0 <= row(h, n) && row(h, n) + n <= row(heads, n);
  //@ assert bound: row(heads, n) == heads * n && heads * n <= DIM_MAX * DIM_MAX;
  return block_offset((size_t)h, (size_t)n) + (size_t)i;
}

size_t token_block(int h, int i, int size, int heads, int n) {
  const size_t token = token_number(h, i, heads, n);
  //@ assert inside: row(token, size) + size <= row(row(heads, n), size);
  /*@ assert bound: row(row(heads, n), size) == row(heads, n) * size &&
        row(heads, n) * size <= DIM_MAX * DIM_MAX * DIM_MAX; */
  return block_offset(token, (size_t)size);
}

size_t token_block_head(int h, int size, int heads, int n) {
  const size_t token = token_number(h, 0, heads, n);
  //@ assert last: row(token, size) + row(n, size) == row(token + n, size);
  //@ assert inside: row(token + n, size) <= row(row(heads, n), size);
  /*@ assert bound: row(row(heads, n), size) == row(heads, n) * size &&
        row(heads, n) * size <= DIM_MAX * DIM_MAX * DIM_MAX; */
  return block_offset(token, (size_t)size);
}

size_t token_block_matrix(int h, int rows, int cols, int heads) {
  const size_t size = block_offset((size_t)rows, (size_t)cols);
  (void)heads; /* only the proof needs it */
  //@ assert size: row(rows, cols) == rows * cols && rows * cols <= DIM_MAX * DIM_MAX;
  //@ assert inside: row(h, size) + size <= row(heads, size);
  //@ assert bound: row(heads, size) == heads * size && heads * size <= DIM_MAX * DIM_MAX * DIM_MAX;
  return block_offset((size_t)h, size);
}
