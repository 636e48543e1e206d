/* BLAS is on one thread between the first begin and the last end, from whatever threads they come, and then on as many
 * as before. */
#include "linalg/blas/blas_single.h"

#include "base/parallel.h"

#include <cblas.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_nesting(void **state) {
  const int before = openblas_get_num_threads();
  (void)state;
  for (int round = 0; round < 3; round++) {
    blas_single_begin();
    assert_int_equal(openblas_get_num_threads(), 1);
    blas_single_begin();
    blas_single_end();
    assert_int_equal(openblas_get_num_threads(), 1);
    blas_single_end();
    assert_int_equal(openblas_get_num_threads(), before);
  }
}

static void use(void *context, int index) {
  atomic_int *const wrong = context;
  (void)index;
  blas_single_begin();
  if (openblas_get_num_threads() != 1) atomic_fetch_add(wrong, 1);
  blas_single_end();
}

static void test_threads(void **state) {
  const int before = openblas_get_num_threads();
  atomic_int wrong = 0;
  (void)state;
  parallel_for(400, 8, use, &wrong);
  assert_int_equal(atomic_load(&wrong), 0);
  assert_int_equal(openblas_get_num_threads(), before);
}

int main(void) {
  openblas_set_num_threads(2);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_nesting), cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
