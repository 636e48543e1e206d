/* The table of arrays: bytes, allocation and release agree; counts that do not fit are refused; the one message for
 * want of memory. */
#include "base/arrays.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
  double *a;
  long *b;
  char *c;
} parts;

static array_table table_of(parts *p, size_t n) {
  return (array_table){{ARRAY(p->a, n, n), ARRAY(p->b, n), ARRAY(p->c, 3, n, 5)}};
}

static void test_product(void **state) {
  (void)state;
  assert_int_equal(ARRAY_COUNT(7), 7);
  assert_int_equal(ARRAY_COUNT(2, 3, 5, 7), 210);
  assert_int_equal(ARRAY_COUNT(2, 0, 5), 0);
  assert_int_equal(ARRAY_COUNT(SIZE_MAX / 2, 2), SIZE_MAX - 1);
  assert_true(ARRAY_COUNT(SIZE_MAX / 2 + 1, 2) == SIZE_MAX);
  assert_true(ARRAY_COUNT(SIZE_MAX / 3, 4, 1) == SIZE_MAX);
  assert_int_equal(ARRAY_COUNT(SIZE_MAX, SIZE_MAX, 0), 0);
}

static void test_bytes(void **state) {
  (void)state;
  parts p;
  const array_table table = table_of(&p, 11), none = {0}, large = table_of(&p, (size_t)1 << 31);
  assert_int_equal(array_table_bytes(&table), 121 * sizeof(double) + 11 * sizeof(long) + 165);
  assert_int_equal(array_table_bytes(&none), 0);
  assert_true(array_table_bytes(&large) == UINT64_MAX); /* 2^62 doubles */
}

/* Every byte of every array is there and 0. */
static void test_allocate(void **state) {
  (void)state;
  parts p;
  const array_table table = table_of(&p, 11);
  attcert_error err = {0};
  assert_int_equal(array_table_allocate(&table, &err, "a test"), ATTCERT_OK);
  for (int i = 0; i < 121; i++) assert_true(p.a[i] == 0.0);
  for (int i = 0; i < 11; i++) assert_true(p.b[i] == 0);
  for (int i = 0; i < 165; i++) assert_true(p.c[i] == 0);
  memset(p.a, 1, 121 * sizeof(double));
  memset(p.b, 1, 11 * sizeof(long));
  memset(p.c, 1, 165);
  assert_int_equal(err.status, ATTCERT_OK);
  array_table_release(&table);
  assert_true(p.a == NULL && p.b == NULL && p.c == NULL);
  array_table_release(&table);
}

static void test_empty_arrays(void **state) {
  (void)state;
  parts p;
  const array_table table = table_of(&p, 0);
  assert_int_equal(array_table_allocate(&table, NULL, "a test"), ATTCERT_OK);
  assert_true(p.a == NULL && p.b == NULL && p.c == NULL);
}

/* The last array is too large: those before it are released. */
static void test_out_of_memory(void **state) {
  (void)state;
  parts p;
  const array_table table = {{ARRAY(p.b, 10), ARRAY(p.c, (size_t)1 << 63)}};
  attcert_error err;
  assert_int_equal(array_table_allocate(&table, &err, "the table of a test"), ATTCERT_RESOURCE);
  assert_true(p.b == NULL && p.c == NULL);
  assert_int_equal(err.status, ATTCERT_RESOURCE);
  assert_string_equal(err.message, "out of memory: the table of a test needs 9223372036854775888 bytes");
}

/* A count that does not fit is not taken for a small one. */
static void test_overflow(void **state) {
  (void)state;
  parts p;
  const array_table table = {{ARRAY(p.a, SIZE_MAX / 4, 5)}};
  attcert_error err;
  assert_int_equal(array_table_allocate(&table, &err, "a matrix"), ATTCERT_RESOURCE);
  assert_true(p.a == NULL);
  assert_string_equal(err.message, "out of memory: a matrix needs 18446744073709551615 bytes");
  assert_null(array_new(ARRAY_COUNT(SIZE_MAX / 4, 5), 1, &err, "a row"));
  assert_string_equal(err.message, "out of memory: a row needs 18446744073709551615 bytes");
  assert_null(array_new(SIZE_MAX / 4, 8, &err, "a row"));
  assert_string_equal(err.message, "out of memory: a row needs 18446744073709551615 bytes");
}

static void test_new(void **state) {
  (void)state;
  attcert_error err = {0};
  double *const x = array_new(5, sizeof *x, &err, "a vector"), *const none = array_new(0, sizeof *x, &err, "a vector");
  assert_non_null(x);
  assert_non_null(none);
  for (int i = 0; i < 5; i++) assert_true(x[i] == 0.0);
  assert_int_equal(err.status, ATTCERT_OK);
  free(x);
  free(none);
}

static void test_message(void **state) {
  (void)state;
  attcert_error err;
  assert_int_equal(array_out_of_memory(&err, 12, "row %d of %s", 3, "x.csv"), ATTCERT_RESOURCE);
  assert_string_equal(err.message, "out of memory: row 3 of x.csv needs 12 bytes");
  assert_int_equal(array_out_of_memory(NULL, 12, "a row"), ATTCERT_RESOURCE);
  array_out_of_memory(&err, 0, "the text of %s", "x.json");
  assert_string_equal(err.message, "out of memory: the text of x.json");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_product),       cmocka_unit_test(test_bytes),
                                     cmocka_unit_test(test_allocate),      cmocka_unit_test(test_empty_arrays),
                                     cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_overflow),
                                     cmocka_unit_test(test_new),           cmocka_unit_test(test_message)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
