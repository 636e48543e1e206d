/* The memory of blocks. The proofs stop here, as they know memory by type and not by bytes: that malloc's bytes hold
 * what mpfr_block_bytes counts is read off these lines, and watched by the sanitizers in the tests. */
#include <stdlib.h>

#include "interval/mpfr_block.h"

mpfr_ptr mpfr_block_new(size_t count, mpfr_prec_t precision) {
  const size_t bytes = mpfr_block_bytes(count, precision);
  if (bytes == SIZE_MAX) return NULL;
  const mpfr_ptr numbers = malloc(bytes > 0 ? bytes : 1);
  if (numbers != NULL) mpfr_block_zeros(numbers, (char *)(numbers + count), count, precision);
  return numbers;
}

void mpfr_block_free(mpfr_ptr numbers) {
  free(numbers);
}
