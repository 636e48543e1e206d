/* Lesson 5: why a Cholesky factor certifies. G = J J^T of lesson 1 and a shift t: where t I - G = L L^T + R,
 * lambda_max(G) <= t + ||R||, since L L^T is positive semidefinite. Nothing is asked of how L was found.
 *
 *   residual    R, entry by entry, in exact arithmetic, is at most 2^-40
 *
 * mistake: lesson | s/- below \* below// | residual | a square forgotten in the second pivot
 * mistake: lesson | s/below = -g\[1\]/below = g[1]/ | residual | the sign of an entry of L */
#include "two_tokens.h"

double sqrt(double x);

/*@ requires residual:
      -0x1p-40 <= t - g[0] - l[0] * l[0] <= 0x1p-40 && -0x1p-40 <= 0 - g[1] - l[2] * l[0] <= 0x1p-40 &&
      -0x1p-40 <= t - g[3] - dot(l + row(1, 2), l + row(1, 2), 2) <= 0x1p-40; */
static void check_factor(const double *l, const double *g, double t) {
  (void)g;
  printf("  L = [ %.6f 0 ; %.6f %.6f ]: lambda_max <= %g + 2^-39\n", l[0], l[2], l[3], t);
}

/* False where t I - G has no factor. */
static int factor(double *l, const double *g, double t) {
  const double first = t - g[0];
  if (first <= 0.0) return 0;
  const double root = sqrt(first), below = -g[1] / root, second = t - g[3] - below * below;
  if (second <= 0.0) return 0;
  l[0] = root, l[1] = 0.0, l[2] = below, l[3] = sqrt(second);
  return 1;
}

int main(void) {
  const double g[] = {3.5, 1.5, 1.5, 3.5}, shifts[] = {6.0, 5.0 + 0x1p-10, 5.0 + 0x1p-30, 5.0 - 0x1p-10};
  double l[4];
  printf("G = J J^T = [ 3.5 1.5 ; 1.5 3.5 ], whose largest eigenvalue is 5\n");
  for (int i = 0; i < 4; i++) {
    if (factor(l, g, shifts[i]))
      check_factor(l, g, shifts[i]);
    else
      printf("  t = %.6f: no factor\n", shifts[i]);
  }
  return 0;
}
