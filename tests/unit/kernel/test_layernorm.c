/* LayerNorm against its definition, its Jacobian against central differences, and the directions that it forgets. */
#include "kernel/layernorm/layernorm.h"
#include "long_attention.h"
#include "random_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 9, CASES = 100 };
static const double tolerance = 1e-12;

/* A token with everything that LayerNorm needs, and its Jacobian there. */
typedef struct {
  int d;
  double x[MAX], gamma[MAX], beta[MAX], u[MAX], c[MAX], eps;
  double z[MAX], s, jacobian[MAX * MAX];
} fixture;

static fixture draw(int index) {
  fixture f;
  random_source r = random_source_make(6, 0, (uint64_t)index);
  f.d = 1 + index % MAX;
  f.eps = index % 2 ? 1e-5 : 0.5;
  double *const arrays[] = {f.x, f.gamma, f.beta, f.u, f.c};
  for (int i = 0; i < 5; i++) random_fill_gaussian(arrays[i], MAX, 1, &r);
  f.s = layernorm_standardize(f.z, f.x, f.eps, f.d);
  layernorm_jacobian(f.jacobian, f.gamma, f.z, f.s, f.d);
  return f;
}

static void test_definition(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    const fixture f = draw(index);
    long double x[MAX], expected[MAX];
    for (int a = 0; a < f.d; a++) x[a] = f.x[a];
    long_layernorm(expected, x, f.gamma, f.beta, f.eps, f.d);
    double out[MAX];
    layernorm_rows(out, f.x, 1, f.d, f.gamma, f.beta, f.eps);
    for (int a = 0; a < f.d; a++) assert_true(fabsl(out[a] - expected[a]) <= tolerance * (1 + fabsl(expected[a])));
  }
}

/* Rows do not see each other, and may be overwritten. */
static void test_rows_in_place(void **state) {
  (void)state;
  const fixture f = draw(MAX - 2);
  double x[3 * MAX], out[3 * MAX];
  random_source r = random_source_make(7, 0, 0);
  random_fill_gaussian(x, 3 * MAX, 2, &r);
  for (int i = 0; i < 3; i++) layernorm_rows(out + i * f.d, x + i * f.d, 1, f.d, f.gamma, f.beta, f.eps);
  layernorm_rows(x, x, 3, f.d, f.gamma, f.beta, f.eps);
  assert_memory_equal(x, out, (size_t)(3 * f.d) * sizeof(double));
}

/* mean(z) = 0 and |z|^2 = d var / (var + eps), s^2 = var + eps. */
static void test_standardized(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    const fixture f = draw(index);
    double mean = 0, square = 0;
    for (int a = 0; a < f.d; a++) mean += f.z[a] / f.d, square += f.z[a] * f.z[a];
    assert_true(fabs(mean) <= tolerance);
    assert_true(fabs(square - f.d * (1 - f.eps / (f.s * f.s))) <= tolerance * f.d);
  }
}

static void test_constant_token(void **state) {
  (void)state;
  double z[] = {3, 3, 3, 3};
  assert_true(layernorm_standardize(z, z, 0.25, 4) == 0.5);
  for (int a = 0; a < 4; a++) assert_true(z[a] == 0);
}

static void test_differences(void **state) {
  (void)state;
  const double step = 0x1p-17; /* eps = 1e-5 makes a gradient_change of radius 3e-3 where var = 0, d = 1 */
  for (int index = 0; index < CASES; index++) {
    const fixture f = draw(index);
    for (int b = 0; b < f.d; b++) {
      long double x[MAX], above[MAX], below[MAX];
      for (int a = 0; a < f.d; a++) x[a] = f.x[a];
      x[b] = f.x[b] + (long double)step;
      long_layernorm(above, x, f.gamma, f.beta, f.eps, f.d);
      x[b] = f.x[b] - (long double)step;
      long_layernorm(below, x, f.gamma, f.beta, f.eps, f.d);
      for (int a = 0; a < f.d; a++)
        assert_true(fabsl((above[a] - below[a]) / (2 * step) - f.jacobian[a * f.d + b]) <= 1e-6 * (1 + fabs(1 / f.s)));
    }
  }
}

/* D LN (1, ..., 1) = 0, and D LN (x - mean) = gamma * z eps / (var + eps): nearly 0 as well. */
static void test_null_space(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    const fixture f = draw(index);
    double ones[MAX], image[MAX];
    for (int a = 0; a < f.d; a++) ones[a] = 1;
    layernorm_jvp(image, f.gamma, f.z, f.s, ones, f.d);
    for (int a = 0; a < f.d; a++) assert_true(fabs(image[a]) <= tolerance * (1 + 1 / f.s));
    layernorm_jvp(image, f.gamma, f.z, f.s, f.z, f.d);
    for (int a = 0; a < f.d; a++) {
      const double expected = f.gamma[a] * f.z[a] * f.eps / (f.s * f.s * f.s);
      assert_true(fabs(image[a] - expected) <= tolerance * (1 + 1 / f.s) * (1 + fabs(expected)));
    }
  }
}

static void test_products(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    const fixture f = draw(index);
    double forward[MAX], backward[MAX];
    layernorm_jvp(forward, f.gamma, f.z, f.s, f.u, f.d);
    layernorm_vjp(backward, f.gamma, f.z, f.s, f.c, f.d);
    for (int a = 0; a < f.d; a++) {
      double row = 0, column = 0;
      for (int b = 0; b < f.d; b++) {
        row += f.jacobian[a * f.d + b] * f.u[b];
        column += f.jacobian[b * f.d + a] * f.c[b];
      }
      assert_true(fabs(forward[a] - row) <= tolerance * (1 + 1 / f.s));
      assert_true(fabs(backward[a] - column) <= tolerance * (1 + 1 / f.s));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_definition),     cmocka_unit_test(test_rows_in_place), cmocka_unit_test(test_standardized),
      cmocka_unit_test(test_constant_token), cmocka_unit_test(test_differences),   cmocka_unit_test(test_null_space),
      cmocka_unit_test(test_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
