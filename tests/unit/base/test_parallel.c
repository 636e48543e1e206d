/* parallel_for calls every index exactly once, whatever the number of threads, and returns when all are done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mpfr.h>
#include <stdatomic.h>

#include "base/parallel.h"

enum { MAX_COUNT = 1000 };

typedef struct {
  atomic_int calls[MAX_COUNT];
  atomic_int outside; /* of 0 .. count - 1 */
  int count;
} record;

static void count_call(void *context, int index) {
  record *const r = context;
  if (index < 0 || index >= r->count)
    atomic_fetch_add(&r->outside, 1);
  else
    atomic_fetch_add(&r->calls[index], 1);
}

static void test_every_index_once(void **state) {
  (void)state;
  static const int counts[] = {0, 1, 2, 7, 65, MAX_COUNT}, threads[] = {-1, 0, 1, 2, 3, 64, 65, 1000};
  static record r;
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
      for (int i = 0; i < MAX_COUNT; i++) atomic_init(&r.calls[i], 0);
      atomic_init(&r.outside, 0);
      r.count = counts[c];
      parallel_for(counts[c], threads[t], count_call, &r);
      assert_int_equal(atomic_load(&r.outside), 0);
      for (int i = 0; i < MAX_COUNT; i++) assert_int_equal(atomic_load(&r.calls[i]), i < counts[c] ? 1 : 0);
    }
}

/* MPFR computes and caches constants in every thread: nothing is shared, nothing is left behind (valgrind looks). */
static void round_pi(void *context, int index) {
  mpfr_t pi;
  mpfr_init2(pi, 100 + index);
  mpfr_const_pi(pi, MPFR_RNDN);
  ((double *)context)[index] = mpfr_get_d(pi, MPFR_RNDN);
  mpfr_clear(pi);
}

static void test_mpfr_in_threads(void **state) {
  (void)state;
  double pi[200];
  parallel_for(200, 4, round_pi, pi);
  for (int i = 0; i < 200; i++) assert_true(pi[i] == 0x1.921fb54442d18p1);
  mpfr_free_cache();
}

static void test_number_of_threads(void **state) {
  (void)state;
  assert_int_equal(parallel_threads(5), 5);
  assert_true(parallel_threads(0) >= 1);
  assert_true(parallel_threads(-3) >= 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_index_once),
      cmocka_unit_test(test_mpfr_in_threads),
      cmocka_unit_test(test_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
