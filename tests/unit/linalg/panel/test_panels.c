/* Panels hold exactly the lower triangle of what is put into them, in blocks of any shape, in windows and
 * shares of them too, and as many bytes as they say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "linalg/panel/panels.h"
#include "panel_entry.h"

static double value(int row, int column) {
  return row + 1000.0 * column;
}

/* Puts the upper triangle in blocks of `size` rows and columns; the last ones are smaller. Entries below the diagonal
 * of a block on the diagonal are no part of the matrix. */
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
  assert_int_equal(whole_panels_init(&a, n), ATTCERT_OK);
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

/* ---- windows and shares ------------------------------------------------------------------------------------------ */

/* Only own panels of the window are in memory, as they are where it is the same window, otherwise zero. */
static void test_window_in_memory(void **state) {
  (void)state;
  const attcert_process_group group = {.rank = 1, .size = 3};
  panels a;
  assert_int_equal(panels_init(&a, 256 * 9 + 1, &group, NULL), ATTCERT_OK);
  for (int p = 0; p < a.count; p++) assert_null(a.panel[p]);
  assert_int_equal(panels_hold(&a, 1, 6, NULL), ATTCERT_OK);
  for (int p = 0; p < a.count; p++) assert_true((a.panel[p] != NULL) == (p == 1 || p == 4));
  *panel_row(&a, 4, 1024) = 5;
  assert_int_equal(panels_hold(&a, 1, 6, NULL), ATTCERT_OK);
  assert_true(*panel_row(&a, 4, 1024) == 5);
  assert_int_equal(panels_hold(&a, 4, 9, NULL), ATTCERT_OK);
  for (int p = 0; p < a.count; p++) assert_true((a.panel[p] != NULL) == (p == 4 || p == 7));
  for (int p = 4; p < 9; p += 3) assert_true(*panel_row(&a, p, 256 * 9) == 0);
  assert_int_equal(panels_hold(&a, 0, 4, NULL), ATTCERT_OK);
  assert_int_equal(panels_hold(&a, 4, 5, NULL), ATTCERT_OK);
  assert_true(*panel_row(&a, 4, 1024) == 0);
  panels_clear(&a);
}

/* What is put goes where there is memory for it, and nowhere else. */
static void test_put_into_a_window(void **state) {
  (void)state;
  const attcert_process_group group = {.rank = 1, .size = 2};
  panels a;
  assert_int_equal(panels_init(&a, 1100, &group, NULL), ATTCERT_OK);
  assert_int_equal(panels_hold(&a, 1, 4, NULL), ATTCERT_OK);
  put_blocks(&a, 100);
  for (int p = 1; p < 4; p += 2)
    for (int j = panel_first(&a, p); j < panel_first(&a, p) + 256; j++)
      for (int i = j; i < 1100; i++) assert_true(panel_entry(&a, i, j) == value(j, i));
  panels_clear(&a);
}

/* Shares of all processes are all panels, none is larger than the first one's, and windows are as large as fits. */
static void check_shares(int n, int size) {
  uint64_t total = 0, all = 0;
  for (int rank = 0; rank < size; rank++) {
    const attcert_process_group group = {.rank = rank, .size = size};
    const panels a = panels_shape(n, &group);
    uint64_t own = 0;
    for (int p = 0; p < a.count; p++) {
      if (panel_is_own(&a, p)) own += panels_bytes(&a, p);
      if (rank == 0) all += UINT64_C(8) * (uint64_t)panel_rows(&a, p) * (uint64_t)panel_columns(&a, p);
    }
    assert_true(own == panels_share_bytes(&a, rank, a.count));
    assert_true(own <= panels_share_bytes(&a, 0, a.count));
    total += own;
  }
  assert_true(total == all);
}

static void check_windows(int n, int size, uint64_t bytes) {
  const attcert_process_group group = {.rank = 0, .size = size};
  const panels a = panels_shape(n, &group);
  for (int first = 0, end; first < a.count; first = end) {
    end = panels_window_end(&a, first, bytes);
    assert_true(end > first && end <= a.count && (end == a.count || end - first >= size));
    assert_true(end - first <= size || panels_share_bytes(&a, first, end) <= bytes);
    assert_true(end == a.count || panels_share_bytes(&a, first, end + 1) > bytes);
  }
}

static void test_shares_and_windows(void **state) {
  (void)state;
  for (int n = 1; n < 6000; n += 411)
    for (int size = 1; size <= 5; size++) {
      check_shares(n, size);
      for (uint64_t bytes = 0; bytes < UINT64_C(8) * 6000 * 6000; bytes += UINT64_C(1) << 21)
        check_windows(n, size, bytes);
    }
  const panels a = panels_shape(INT32_MAX, NULL);
  assert_true(panels_share_bytes(&a, 0, a.count) >= UINT64_C(4) * INT32_MAX * INT32_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_window_in_memory),
      cmocka_unit_test(test_put_into_a_window),
      cmocka_unit_test(test_shares_and_windows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
