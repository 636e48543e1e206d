/* Decoding is exact: every half and bfloat16 pattern is checked against what the formats' definitions imply. */
#include "model/format/number_format.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The positive halves are 0 = h(0) < h(1) < ... < h(0x7bff) = 65504 < h(0x7c00) = infinity, and h(b + 1) - h(b) is
 * 2^-24 in the first two binades and doubles with each binade after. */
static void halves_are_evenly_spaced_in_each_binade(void **state) {
  (void)state;
  assert_true(number_from_half(0) == 0.0 && !signbit(number_from_half(0)));
  double spacing = 0x1p-24;
  for (unsigned bits = 0; bits < 0x7bff; bits++) {
    if (bits >= 2048 && bits % 1024 == 0) spacing *= 2;
    assert_true(number_from_half((uint16_t)(bits + 1)) - number_from_half((uint16_t)bits) == spacing);
  }
  assert_true(number_from_half(0x7bff) == 65504.0);
}

static void halves_have_the_special_values(void **state) {
  (void)state;
  assert_true(number_from_half(0x7c00) == INFINITY);
  assert_true(number_from_half(0xfc00) == -INFINITY);
  assert_true(signbit(number_from_half(0x8000)));
  for (unsigned bits = 0; bits < 0x8000; bits++) {
    const double positive = number_from_half((uint16_t)bits), negative = number_from_half((uint16_t)(bits | 0x8000));
    assert_true(bits > 0x7c00 ? isnan(positive) && isnan(negative) : negative == -positive);
  }
}

static void bfloat16_is_the_upper_half_of_binary32(void **state) {
  (void)state;
  assert_true(number_from_bfloat16(0x3f80) == 1.0);
  assert_true(number_from_bfloat16(0x0001) == 0x1p-133); /* the smallest subnormal */
  assert_true(number_from_bfloat16(0x7f7f) == 0x1.fep127);
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    const double value = number_from_bfloat16((uint16_t)bits);
    const float single = (float)value;
    uint32_t pattern;
    memcpy(&pattern, &single, sizeof pattern);
    assert_true(isnan(value) ? (bits & 0x7fff) > 0x7f80 : pattern == bits << 16);
  }
}

/* -2.5 = -1.25 x 2^1 in each format, at every alignment. */
static void decodes_little_endian_at_any_alignment(void **state) {
  (void)state;
  static const struct {
    number_format format;
    size_t size;
    unsigned char bytes[8];
  } row[] = {{NUMBER_F64, 8, {0, 0, 0, 0, 0, 0, 0x04, 0xc0}},
             {NUMBER_F32, 4, {0, 0, 0x20, 0xc0}},
             {NUMBER_F16, 2, {0x00, 0xc1}},
             {NUMBER_BF16, 2, {0x20, 0xc0}}};
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    assert_int_equal(number_format_size(row[i].format), row[i].size);
    for (size_t shift = 0; shift < 8; shift++) {
      unsigned char buffer[24];
      memcpy(buffer + shift, row[i].bytes, row[i].size);
      memcpy(buffer + shift + row[i].size, row[i].bytes, row[i].size);
      double out[2] = {0, 0};
      number_decode(out, buffer + shift, 2, row[i].format);
      assert_true(out[0] == -2.5 && out[1] == -2.5);
    }
  }
  assert_int_equal(number_format_size(NUMBER_UNSUPPORTED), 0);
}

static void finds_the_first_number_that_is_not_finite(void **state) {
  (void)state;
  double numbers[] = {1, -0x1.fffffffffffffp1023, 0, 4};
  assert_int_equal(number_first_not_finite(numbers, 4), 4);
  assert_int_equal(number_first_not_finite(numbers, 0), 0);
  numbers[3] = NAN;
  assert_int_equal(number_first_not_finite(numbers, 4), 3);
  numbers[1] = -INFINITY;
  assert_int_equal(number_first_not_finite(numbers, 4), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_are_evenly_spaced_in_each_binade),
      cmocka_unit_test(halves_have_the_special_values),
      cmocka_unit_test(bfloat16_is_the_upper_half_of_binary32),
      cmocka_unit_test(decodes_little_endian_at_any_alignment),
      cmocka_unit_test(finds_the_first_number_that_is_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
