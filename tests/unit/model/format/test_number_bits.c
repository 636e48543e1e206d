/* The trusted readings of bit patterns against the standard's formula, in GMP: (-1)^s (2^F + f) 2^(e - bias - F). */
#include "model/format/number_bits.h"

#include "random_source.h"

#include <gmp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The layout of an IEEE 754 format: bits of exponent and fraction. */
typedef struct {
  int exponent, fraction;
} layout;

static const layout binary32 = {8, 23}, binary64 = {11, 52};

/* value is what the pattern of the layout stands for. */
static void assert_value(double value, uint64_t bits, layout format) {
  const int largest = (1 << format.exponent) - 1, bias = largest / 2;
  const int exponent = (int)(bits >> format.fraction) & largest;
  const uint64_t fraction = bits & ((UINT64_C(1) << format.fraction) - 1);
  const bool negative = (bits >> (format.exponent + format.fraction)) != 0;
  if (exponent == largest) {
    assert_true(fraction != 0 ? isnan(value) : value == (negative ? -INFINITY : INFINITY));
    return;
  }
  const uint64_t significand = exponent == 0 ? fraction : fraction + (UINT64_C(1) << format.fraction);
  const int shift = (exponent == 0 ? 1 : exponent) - bias - format.fraction;
  mpq_t exact, found;
  mpq_inits(exact, found, NULL);
  mpq_set_ui(exact, significand, 1);
  if (shift >= 0)
    mpq_mul_2exp(exact, exact, (mp_bitcnt_t)shift);
  else
    mpq_div_2exp(exact, exact, (mp_bitcnt_t)-shift);
  if (negative) mpq_neg(exact, exact);
  mpq_set_d(found, value);
  assert_true(mpq_equal(exact, found));
  assert_true(signbit(value) == negative || isnan(value));
  mpq_clears(exact, found, NULL);
}

static void patterns_have_the_values_of_the_standard(void **state) {
  (void)state;
  random_source r = random_source_make(1, 0, 0);
  for (int i = 0; i < 100000; i++) {
    const uint64_t bits = random_bits(&r);
    assert_value(number_from_binary64(bits), bits, binary64);
    assert_value(number_from_binary32((uint32_t)bits), (uint32_t)bits, binary32);
  }
}

/* Zero, the least and largest subnormal and normal numbers, infinity, NaN; both signs. */
static void the_ends_of_each_format(void **state) {
  (void)state;
  static const uint64_t of_64[] = {
      0, 1, 0xfffffffffffff, 0x10000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000};
  static const uint32_t of_32[] = {0, 1, 0x7fffff, 0x800000, 0x7f7fffff, 0x7f800000, 0x7fc00000};
  for (size_t i = 0; i < sizeof of_64 / sizeof of_64[0]; i++) {
    for (unsigned sign = 0; sign < 2; sign++) {
      const uint64_t wide = of_64[i] + ((uint64_t)sign << 63);
      const uint32_t narrow = of_32[i] + (sign << 31);
      assert_value(number_from_binary64(wide), wide, binary64);
      assert_value(number_from_binary32(narrow), narrow, binary32);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_have_the_values_of_the_standard),
      cmocka_unit_test(the_ends_of_each_format),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
