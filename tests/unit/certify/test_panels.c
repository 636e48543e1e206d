/* Panels hold exactly the lower triangle of what is put into them, in blocks of any shape, and as many bytes as they say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "certify/panels.h"
#include "panel_entry.h"

static double value(int row, int column) {
  return row + 1000.0 * column;
}

/* Puts the upper triangle in blocks of `size` rows and columns; the last ones are smaller. Entries below the diagonal of a block on
 * the diagonal are no part of the matrix. */
static void put_blocks(const panels *a, int size) {
  double *const block = calloc((size_t)size * (size_t)(size + 3), sizeof *block);
  assert_non_null(block);
  for (int row = 0; row < a->n; row += size)
    for (int column = row; column < a->n; column += size) {
      const int rows = a->n - row < size ? a->n - row : size, columns = a->n - column < size ? a->n - column : size;
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
          block[i * (size + 3) + j] = column + j < row + i ? -1 : value(row + i, column + j);
      panels_put_transposed(a, row, rows, column, columns, block, (size_t)size + 3);
    }
  free(block);
}

static void check_blocks(int n, int size) {
  panels a;
  assert_int_equal(panels_init(&a, n, NULL), ATTCERT_OK);
  put_blocks(&a, size);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) assert_true(panel_entry(&a, i, j) == value(j, i));
  for (int p = 0; p < a.count; p++)
    for (int i = 0; i < panel_columns(&a, p); i++)
      for (int j = i + 1; j < panel_columns(&a, p); j++) assert_true(panel_row(&a, p, panel_first(&a, p) + i)[j] == 0);
  panels_clear(&a);
}

static void test_blocks(void **state) {
  (void)state;
  static const int sides[] = {1, 2, 255, 256, 257, 600}, sizes[] = {1, 7, 100, 256, 700};
  for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++)
    for (size_t b = 0; b < sizeof sizes / sizeof sizes[0]; b++) check_blocks(sides[s], sizes[b]);
}

static void test_bytes(void **state) {
  (void)state;
  for (int n = 1; n < 1100; n += 13) {
    panels a;
    uint64_t doubles = 0;
    assert_int_equal(panels_init(&a, n, NULL), ATTCERT_OK);
    for (int p = 0; p < a.count; p++) doubles += (uint64_t)panel_rows(&a, p) * (uint64_t)panel_columns(&a, p);
    assert_true(panels_bytes((uint64_t)n) >= 8 * doubles);
    assert_true(panels_bytes((uint64_t)n) <= 8 * doubles + UINT64_C(4) * PANEL_WIDTH * PANEL_WIDTH);
    panels_clear(&a);
  }
  assert_true(panels_bytes(76800) < UINT64_C(8) * 76800 * 76800 * 51 / 100);
  assert_true(panels_bytes(UINT64_MAX) == UINT64_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
