/* Biases by distance: slopes from the published recursion, in MPFR. */
#include "model/slope_bias.h"

#include "network/attention/attention_heads.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 112, SPAN = 40, OFFSETS = 2 * SPAN - 1, BITS = 240 };

/* 2^(-8 / n), its square, ... for n a power of 2; otherwise those of the largest power p below n, then every second one
 * of 2 p (O. Press et al., the code that came with the paper). */
static void slope_of(mpfr_t slope, int h, int n) {
  int p = 1;
  while (2 * p <= n) p *= 2;
  mpfr_set_si(slope, h < p ? -8 * (h + 1) : -8 * (2 * (h - p) + 1), MPFR_RNDN);
  mpfr_div_si(slope, slope, h < p ? p : 2 * p, MPFR_RNDN);
  mpfr_exp2(slope, slope, MPFR_RNDN);
}

/* Against minus the slope times the distance. */
static void check_bias(double bias, double low, const mpfr_t slope, int offset) {
  mpfr_t off, most;
  mpfr_inits2(BITS, off, most, (mpfr_ptr)0);
  mpfr_mul_si(off, slope, abs(offset), MPFR_RNDN);
  mpfr_add_d(off, off, bias, MPFR_RNDN);
  mpfr_add_d(off, off, low, MPFR_RNDN);
  mpfr_set_d(most, bias, MPFR_RNDN);
  mpfr_mul_d(most, most, BIAS_LOW_ERROR, MPFR_RNDN);
  assert_true(mpfr_cmpabs(off, most) <= 0);
  assert_true(fabs(low) <= 0x1p-53 * fabs(bias));
  mpfr_clears(off, most, (mpfr_ptr)0);
}

static void biases_are_those_of_the_recursion(void **state) {
  (void)state;
  static const int heads[] = {1, 2, 3, 6, 8, 12, 16, 25, 40, 112};
  static double bias[MOST * OFFSETS], low[MOST * OFFSETS];
  mpfr_t slope;
  mpfr_init2(slope, BITS);
  for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++) {
    slope_bias_fill(bias, low, heads[k], SPAN);
    for (int h = 0; h < heads[k]; h++) {
      slope_of(slope, h, heads[k]);
      for (int offset = 1 - SPAN; offset < SPAN; offset++) {
        const int at = h * OFFSETS + offset + SPAN - 1;
        check_bias(bias[at], low[at], slope, offset);
      }
    }
  }
  mpfr_clear(slope);
  mpfr_free_cache();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(biases_are_those_of_the_recursion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
