/* |L| |L|^T x of one panel against long double, for any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/panel/panel_absolute.h"
#include "linalg/rounding/rounding.h"
#include "random_source.h"

static double *numbers(size_t count, uint64_t stream) {
  random_source r = random_source_make(3, 41, stream);
  double *const x = malloc(count * sizeof *x);
  assert_non_null(x);
  for (size_t k = 0; k < count; k++) x[k] = random_gaussian(&r);
  return x;
}

static void exact(long double *y, const double *x, const panel_part *part, int n) {
  for (int j = 0; j < part->columns; j++) {
    long double image = 0.0L;
    for (int i = part->first_row; i < n; i++)
      image += fabsl((long double)part->data[(i - part->first_row) * part->columns + j]) * x[i];
    for (int i = part->first_row; i < n; i++)
      y[i] += fabsl((long double)part->data[(i - part->first_row) * part->columns + j]) * image;
  }
}

static void check(int n, int first_row, int columns) {
  const size_t rows = (size_t)(n - first_row);
  double *const data = numbers(rows * (size_t)columns, 1), *const x = numbers((size_t)n, 2);
  double *const y = calloc(2 * (size_t)n, sizeof *y);
  double *const images = calloc(panel_absolute_images(n, columns), sizeof *images);
  long double *const expected = calloc((size_t)n, sizeof *expected);
  assert_true(y != NULL && images != NULL && expected != NULL);
  for (int i = 0; i < n; i++) x[i] = fabs(x[i]);
  const panel_part part = {data, first_row, columns};
  panel_add_absolute_square(y, x, &part, n, images, 1);
  panel_add_absolute_square(y + n, x, &part, n, images, 3);
  assert_memory_equal(y, y + n, (size_t)n * sizeof *y);
  exact(expected, x, &part, n);
  for (int i = 0; i < n; i++) assert_true(fabsl(y[i] - expected[i]) <= gamma_upper(2.0 * (n + 1.0)) * expected[i]);
  free(data);
  free(x);
  free(y);
  free(images);
  free(expected);
}

static void test_sizes(void **state) {
  (void)state;
  static const int n[] = {1, 5, 300, 1024, 1025, 2300, 4000}, columns[] = {1, 5, 44, 256, 1, 256, 250};
  for (size_t k = 0; k < sizeof n / sizeof n[0]; k++) {
    check(n[k], 0, columns[k]);
    check(n[k], n[k] / 2, columns[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
