/* Lesson 4: intervals with ends in double. A sum rounded to nearest is off by at most half a unit, so that the next
 * double on each side is an end; the clause compares the ends with the exact sum in rational numbers.
 *
 *   contains    lo <= x + y <= hi
 *
 * mistake: lesson | s/, 1e300)/, -1e300)/ | contains | the upper end moved down, not up
 * mistake: lesson | s/nextafter(sum, 1e300)/sum/ | contains | the sum to nearest taken for an upper end */
#include "two_tokens.h"

double nextafter(double from, double to);

typedef struct {
  double lo, hi;
} interval;

/*@ requires contains: sum.lo <= x + y <= sum.hi; */
static void check(interval sum, double x, double y) {
  (void)sum, (void)x, (void)y;
}

static interval add(double x, double y) {
  const double sum = x + y;
  return (interval){nextafter(sum, -1e300), nextafter(sum, 1e300)};
}

int main(void) {
  const double x[] = {0.5, 0.1, 0.1, 1.0}, y[] = {0.25, 0.7, 0.2, 0x1p-60};
  for (int i = 0; i < 4; i++) {
    const interval sum = add(x[i], y[i]);
    printf("  %.17g + %.17g: [%.17g, %.17g]\n", x[i], y[i], sum.lo, sum.hi);
    check(sum, x[i], y[i]);
  }
  return 0;
}
