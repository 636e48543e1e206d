/* Many MPFR numbers in one block of memory. */
#include "interval/mpfr_block.h"

#include <stdint.h>
#include <stdlib.h>

size_t mpfr_block_bytes(size_t count, mpfr_prec_t precision) {
  const size_t each = sizeof(mpfr_t) + mpfr_custom_get_size(precision);
  return count > SIZE_MAX / each ? SIZE_MAX : count * each;
}

void *mpfr_block_new(size_t count, mpfr_prec_t precision) {
  const size_t bytes = mpfr_block_bytes(count, precision);
  if (bytes == SIZE_MAX) return NULL;
  mpfr_t *const number = malloc(bytes > 0 ? bytes : 1);
  if (number == NULL) return NULL;
  char *const limbs = (char *)(number + count);
  const size_t limb_bytes = mpfr_custom_get_size(precision);
  for (size_t i = 0; i < count; i++) {
    mpfr_custom_init_set(number[i], MPFR_ZERO_KIND, 0, precision, limbs + i * limb_bytes);
  }
  return number;
}
