/* The operator of a dense matrix multiplies by it and by its transpose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "linalg/operator/dense_matrix.h"
#include "random_source.h"

enum { MAX_SIDE = 9 };

/* Integers, so that every sum is exact. */
static void check_products(int rows, int cols, random_source *r) {
  double a[MAX_SIDE * MAX_SIDE], x[MAX_SIDE], y[MAX_SIDE];
  random_fill_integers(a, (size_t)(rows * cols), -9, 9, r);
  random_fill_integers(x, MAX_SIDE, -9, 9, r);
  const dense_matrix matrix = {a, rows, cols};
  const linear_operator op = dense_matrix_operator(&matrix);
  assert_int_equal(op.rows, rows);
  assert_int_equal(op.cols, cols);
  for (int i = 0; i < MAX_SIDE; i++) y[i] = NAN;
  op.apply(op.context, y, x, false);
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < cols; j++) sum += a[i * cols + j] * x[j];
    assert_true(y[i] == sum);
  }
  for (int i = 0; i < MAX_SIDE; i++) y[i] = NAN;
  op.apply(op.context, y, x, true);
  for (int j = 0; j < cols; j++) {
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += a[i * cols + j] * x[i];
    assert_true(y[j] == sum);
  }
}

static void test_products(void **state) {
  (void)state;
  random_source r = random_source_make(4, 0, 0);
  for (int rows = 1; rows <= MAX_SIDE; rows++)
    for (int cols = 1; cols <= MAX_SIDE; cols++) check_products(rows, cols, &r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_products)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
