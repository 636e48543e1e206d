#include "model/slope_bias.h"

#include <mpfr.h>
#include <stdlib.h>

/* Which of the slopes of `all` heads, from 1 on, is that of head h. */
static int slope_number(int h, int heads, int all) {
  const int half = all / 2;
  if (heads == all) return h + 1;
  return h < half ? 2 * (h + 1) : 2 * (h - half) + 1;
}

/* Exponents are exact; power and product round once each at 160 bits, the difference is exact (of at most 108 bits),
 * and its double is within 2^-53 of 2^-53 |bias|: within 2^-105 together. */
void slope_bias_fill(double *bias, double *low, int heads, int span) {
  enum { BITS = 160 };
  const int offsets = 2 * span - 1;
  int all = 1;
  mpfr_t slope, product;
  mpfr_inits2(BITS, slope, product, (mpfr_ptr)NULL);
  while (all < heads) all *= 2;
  for (int h = 0; h < heads; h++) {
    mpfr_set_si(slope, -8L * slope_number(h, heads, all), MPFR_RNDN);
    mpfr_div_si(slope, slope, all, MPFR_RNDN); /* by a power of 2 */
    mpfr_exp2(slope, slope, MPFR_RNDN);
    for (int k = 0; k < offsets; k++) {
      mpfr_mul_si(product, slope, -labs((long)k + 1 - span), MPFR_RNDN);
      const size_t at = (size_t)h * (size_t)offsets + (size_t)k;
      bias[at] = mpfr_get_d(product, MPFR_RNDN);
      mpfr_sub_d(product, product, bias[at], MPFR_RNDN);
      low[at] = mpfr_get_d(product, MPFR_RNDN);
    }
  }
  mpfr_clears(slope, product, (mpfr_ptr)NULL);
}
