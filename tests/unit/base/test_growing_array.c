/* Arrays that grow by one element after the other. */
#include "base/growing_array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void elements_stay_where_they_were(void **state) {
  (void)state;
  double *x = NULL;
  size_t capacity = 0;
  for (size_t i = 0; i < 1000; i++) {
    assert_int_equal(growing_array_room(&x, &capacity, i, sizeof *x, NULL, "numbers"), ATTCERT_OK);
    assert_true(i < capacity && capacity <= 2 * i + 16);
    x[i] = (double)i;
  }
  for (size_t i = 0; i < 1000; i++) assert_true(x[i] == (double)i);
  free(x);
}

static void room_that_is_there_is_left(void **state) {
  (void)state;
  char memory[2], *list = memory;
  size_t capacity = 2;
  assert_int_equal(growing_array_room(&list, &capacity, 1, 1, NULL, "bytes"), ATTCERT_OK);
  assert_true(list == memory && capacity == 2);
}

/* More bytes than an object can have: the array stays as it was. */
static void too_many_are_refused(void **state) {
  (void)state;
  attcert_error err;
  char *list = NULL;
  size_t capacity = 0;
  assert_int_equal(growing_array_room(&list, &capacity, 0, PTRDIFF_MAX / 4, &err, "a list of %s", "pages"),
                   ATTCERT_RESOURCE);
  assert_true(list == NULL && capacity == 0);
  assert_non_null(strstr(err.message, "out of memory: a list of pages needs"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elements_stay_where_they_were),
                                     cmocka_unit_test(room_that_is_there_is_left),
                                     cmocka_unit_test(too_many_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
