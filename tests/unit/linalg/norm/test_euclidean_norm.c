/* The norm in double over the whole range of exponents, on vectors whose norm is known. */
#include "linalg/norm/euclidean_norm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* (3, -4, 12) 2^e has the norm 13 2^e: from denormal numbers to the largest, no step of it rounds. */
static void known_norms(void **state) {
  (void)state;
  for (int e = -1074; e <= 1020; e++) {
    const double v[] = {ldexp(3, e), ldexp(-4, e), ldexp(12, e)};
    assert_true(euclidean_norm(v, 3) == ldexp(13, e));
  }
}

/* Entries far below the largest count for nothing, and do not harm. */
static void wide_ranges(void **state) {
  (void)state;
  const double v[] = {0x1p-1074, 1e300, 1e-300};
  assert_true(fabs(euclidean_norm(v, 3) / 1e300 - 1) < 1e-15);
}

static void special_values(void **state) {
  (void)state;
  const double zero[] = {0.0, -0.0}, infinite[] = {1.0, -INFINITY}, none[] = {INFINITY, NAN};
  assert_true(euclidean_norm(zero, 2) == 0);
  assert_true(euclidean_norm(zero, 0) == 0);
  assert_true(euclidean_norm(infinite, 2) == INFINITY);
  assert_true(isnan(euclidean_norm(none, 2)));
}

/* (3, 4) 2^e becomes (0.6, 0.8) over the whole range of exponents. */
static void unit_vectors(void **state) {
  (void)state;
  for (int e = -1074; e <= 1020; e++) {
    double v[] = {ldexp(3, e), ldexp(-4, e)};
    assert_true(euclidean_normalize(v, 2));
    assert_true(v[0] == 0.6 && v[1] == -0.8);
  }
}

static void no_direction(void **state) {
  (void)state;
  double zero[] = {0.0, 0.0}, infinite[] = {1.0, INFINITY}, none[] = {1.0, NAN};
  assert_false(euclidean_normalize(zero, 2) || euclidean_normalize(infinite, 2) || euclidean_normalize(none, 2));
  assert_true(zero[0] == 0 && infinite[0] == 1 && none[0] == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_norms),  cmocka_unit_test(wide_ranges),  cmocka_unit_test(special_values),
      cmocka_unit_test(unit_vectors), cmocka_unit_test(no_direction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
