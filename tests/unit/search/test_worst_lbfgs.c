/* Directions of ascent on functions whose maximum is known. */
#include "random_source.h"
#include "search/worst_lbfgs.h"

#include <cblas.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SIZE = 5 };

/* f(x) = -sum_i c_i (x_i - 1)^2 / 2 */
static void quadratic_gradient(double *g, const double *x, const double *c) {
  for (int i = 0; i < SIZE; i++) g[i] = -c[i] * (x[i] - 1.0);
}

/* With exact steps BFGS ends at the maximum of a quadratic function after as many steps as there are dimensions
 * (Nocedal, Wright, theorem 6.4); the gradient alone, at a condition of 1e4, does not come near it. */
static void ends_on_a_quadratic(void **state) {
  (void)state;
  const double c[SIZE] = {1.0, 10.0, 100.0, 1000.0, 10000.0};
  double x[SIZE] = {0.0}, g[SIZE], p[SIZE];
  worst_lbfgs l;
  assert_int_equal(worst_lbfgs_init(&l, SIZE, NULL), ATTCERT_OK);
  for (int step = 0; step < SIZE; step++) {
    quadratic_gradient(g, x, c);
    worst_lbfgs_direction(p, &l, x, g);
    assert_true(cblas_ddot(SIZE, p, 1, g, 1) > 0.0);
    double curvature = 0.0;
    for (int i = 0; i < SIZE; i++) curvature += c[i] * p[i] * p[i];
    cblas_daxpy(SIZE, cblas_ddot(SIZE, p, 1, g, 1) / curvature, p, 1, x, 1);
  }
  for (int i = 0; i < SIZE; i++) assert_true(fabs(x[i] - 1.0) < 1e-8);
  worst_lbfgs_clear(&l);
}

static void starts_along_the_gradient(void **state) {
  (void)state;
  const double x[SIZE] = {1.0, 2.0, 3.0, 4.0, 5.0}, g[SIZE] = {5.0, -4.0, 3.0, -2.0, 1.0};
  double p[SIZE];
  worst_lbfgs l;
  assert_int_equal(worst_lbfgs_init(&l, SIZE, NULL), ATTCERT_OK);
  for (int round = 0; round < 2; round++) {
    worst_lbfgs_direction(p, &l, x, g);
    assert_memory_equal(p, g, sizeof g);
    worst_lbfgs_reset(&l);
  }
  worst_lbfgs_clear(&l);
}

/* Positions and gradients that belong to no function: the direction still ascends, longer than the memory lasts. */
static void always_ascends(void **state) {
  (void)state;
  random_source r = random_source_make(11, 0, 0);
  double x[SIZE], g[SIZE], p[SIZE];
  worst_lbfgs l;
  assert_int_equal(worst_lbfgs_init(&l, SIZE, NULL), ATTCERT_OK);
  int other = 0; /* directions that are not the gradient */
  for (int step = 0; step < 200; step++) {
    random_fill_gaussian(x, SIZE, 1.0, &r);
    random_fill_gaussian(g, SIZE, 1.0, &r);
    worst_lbfgs_direction(p, &l, x, g);
    assert_true(cblas_ddot(SIZE, p, 1, g, 1) > 0.0);
    for (int i = 0; i < SIZE; i++) {
      if (p[i] != g[i]) {
        other++;
        break;
      }
    }
  }
  assert_true(other > 100);
  worst_lbfgs_clear(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_on_a_quadratic),
      cmocka_unit_test(starts_along_the_gradient),
      cmocka_unit_test(always_ascends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
