/* Biases by distance: slopes from the published recursion, in long double, whose bits are those of bias and what it
 * misses together. */
#include "model/slope_bias.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 112, SPAN = 40, OFFSETS = 2 * SPAN - 1 };

/* 2^(-8 / n), its square, ... for n a power of 2; otherwise those of the largest power p below n, then every second one
 * of 2 p (O. Press et al., the code that came with the paper). */
static void slopes_of(long double *slope, int n) {
  int p = 1;
  while (2 * p <= n) p *= 2;
  for (int k = 0; k < p; k++) slope[k] = powl(2.0L, -8.0L * (k + 1) / p);
  for (int k = p; k < n; k++) slope[k] = powl(2.0L, -8.0L * (2 * (k - p) + 1) / (2 * p));
}

static void biases_are_those_of_the_recursion(void **state) {
  (void)state;
  static const int heads[] = {1, 2, 3, 6, 8, 12, 16, 25, 40, 112};
  static double bias[MOST * OFFSETS], low[MOST * OFFSETS];
  long double slope[MOST];
  for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++) {
    slopes_of(slope, heads[k]);
    slope_bias_fill(bias, low, heads[k], SPAN);
    for (int h = 0; h < heads[k]; h++) {
      for (int offset = 1 - SPAN; offset < SPAN; offset++) {
        const int at = h * OFFSETS + offset + SPAN - 1;
        const long double exact = -slope[h] * fabsl((long double)offset), b = bias[at];
        assert_true(fabsl(b + low[at] - exact) <= 0x1p-61L * fabsl(b));
        assert_true(fabs(low[at]) <= 0x1p-53 * fabs(bias[at]));
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(biases_are_those_of_the_recursion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
