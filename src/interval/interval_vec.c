/* Vectors of intervals in one block: an interval is two numbers side by side. */
#include "interval/interval_vec.h"

#include "interval/mpfr_block.h"

_Static_assert(sizeof(interval) == 2 * sizeof(mpfr_t), "an interval is two numbers without padding");

size_t interval_vec_bytes(size_t n, mpfr_prec_t precision) {
  return n > SIZE_MAX / 2 ? SIZE_MAX : mpfr_block_bytes(2 * n, precision);
}

interval *interval_vec_new(size_t n, mpfr_prec_t precision) {
  if (n > SIZE_MAX / 2) return NULL;
  const mpfr_ptr numbers = mpfr_block_new(2 * n, precision);
  interval *const v = (interval *)numbers;
  /*@ assert pairs: v != \null ==> \forall integer i; 0 <= i < n ==> \valid(v + i) &&
        zero(numbers + row(i, 2)) && precision(numbers + row(i, 2)) == precision && lent(numbers + row(i, 2)) &&
        zero(numbers + (row(i, 2) + 1)) && precision(numbers + (row(i, 2) + 1)) == precision &&
        lent(numbers + (row(i, 2) + 1)); */
  return v;
}

void interval_vec_free(interval *v) {
  mpfr_block_free((mpfr_ptr)v);
}
