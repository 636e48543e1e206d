/* Vectors of intervals in one block: an interval is two numbers side by side. */
#include "interval/interval_vec.h"

#include <stdint.h>
#include <stdlib.h>

#include "interval/mpfr_block.h"

_Static_assert(sizeof(interval) == 2 * sizeof(mpfr_t), "an interval is two numbers without padding");

size_t interval_vec_bytes(size_t n, mpfr_prec_t precision) {
  return n > SIZE_MAX / 2 ? SIZE_MAX : mpfr_block_bytes(2 * n, precision);
}

interval *interval_vec_new(size_t n, mpfr_prec_t precision) {
  return n > SIZE_MAX / 2 ? NULL : mpfr_block_new(2 * n, precision);
}

void interval_vec_free(interval *v) {
  free(v);
}
