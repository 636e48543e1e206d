/* dyadic_of: a double as an integer times a power of two, each clause of its contract against GMP's rational numbers.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dyadic.h"
#include "random_source.h"

/* 2^e */
static void power_of_two(mpq_t power, int e) {
  mpq_set_ui(power, 1, 1);
  if (e >= 0)
    mpq_mul_2exp(power, power, (mp_bitcnt_t)e);
  else
    mpq_div_2exp(power, power, (mp_bitcnt_t)-e);
}

static void check_value(double x, const dyadic *d) {
  mpq_t exact, power, product;
  mpq_inits(exact, power, product, NULL);
  mpq_set_d(exact, x);
  power_of_two(power, d->place);
  mpq_set_si(product, (long)d->significand, 1);
  mpq_mul(product, product, power);
  assert_true(mpq_equal(product, exact)); /* equal */
  mpq_abs(exact, exact);
  power_of_two(power, d->end);
  assert_true(mpq_cmp(exact, power) < 0); /* below */
  power_of_two(power, d->end - 1);
  assert_true(x == 0.0 || mpq_cmp(exact, power) >= 0); /* no end before that one: as few digits as there are */
  mpq_clears(exact, power, product, NULL);
}

static void check(double x) {
  const dyadic d = dyadic_of(x), again = dyadic_of(x);
  assert_true(again.place == d.place && again.end == d.end); /* place, end: x alone determines them */
  assert_true((d.significand == 0) == (x == 0.0));           /* zero */
  assert_true(d.significand == 0 || d.significand % 2 != 0);
  assert_true(llabs(d.significand) < INT64_C(1) << 53);                           /* size */
  assert_true(-1074 <= d.place && d.place <= d.end && d.end <= 1024);             /* range */
  assert_true(d.significand == 0 ? d.place == 0 && d.end == 0 : d.place < d.end); /* bits */
  check_value(x, &d);
}

static void check_both_signs(double x) {
  check(x);
  check(-x);
}

static void test_edges(void **state) {
  (void)state;
  static const double edges[] = {0.0,
                                 0x1p-1074,
                                 0x1.8p-1073,
                                 DBL_MIN,
                                 DBL_MAX,
                                 0x1.fffffffffffffp-1,
                                 1.0,
                                 0x1p1023,
                                 0x1p52,
                                 0x1p53,
                                 0x1.0000000000001p0,
                                 0x0.fffffffffffffp-1022};
  for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
    check_both_signs(edges[i]);
    if (edges[i] != DBL_MAX) check_both_signs(nextafter(edges[i], INFINITY));
    check_both_signs(nextafter(edges[i], 0.0));
  }
  for (int e = -1074; e <= 1023; e++) check_both_signs(ldexp(1.0, e));
}

/* Every bit pattern that is a finite number. */
static void test_random_bits(void **state) {
  (void)state;
  random_source r = random_source_make(73, 0, 0);
  for (int i = 0; i < 20000; i++) {
    const uint64_t bits = random_bits(&r);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x)) check(x);
    const uint64_t small = bits >> (12 + i % 52); /* subnormal */
    memcpy(&x, &small, sizeof x);
    check_both_signs(x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_random_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
