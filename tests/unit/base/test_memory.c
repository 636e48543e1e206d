/* Bytes: what the machine has free, what this process has held, and sums that saturate. */
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static void test_available(void **state) {
  (void)state;
  assert_true(memory_available() > MIB);
  assert_true(memory_available() < UINT64_MAX);
}

/* The peak is at least what has been written to, and does not fall when it is given back. */
static void test_peak(void **state) {
  (void)state;
  enum { HELD = 64 * MIB };
  char *const held = malloc(HELD);
  assert_non_null(held);
  memset(held, 1, HELD);
  const uint64_t peak = memory_peak();
  assert_true(held[HELD / 2] == 1 && peak >= HELD);
  free(held);
  assert_true(memory_peak() >= peak);
}

static void test_add(void **state) {
  (void)state;
  assert_true(memory_add(2, 3) == 5);
  assert_true(memory_add(UINT64_MAX - 1, 1) == UINT64_MAX);
  assert_true(memory_add(UINT64_MAX, 1) == UINT64_MAX);
  assert_true(memory_add(1, UINT64_MAX) == UINT64_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_available), cmocka_unit_test(test_peak),
                                     cmocka_unit_test(test_add)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
