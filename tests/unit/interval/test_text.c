/* Decimal text is outward and a JSON number; hexadecimal text is exact and can be read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "interval/mpfr_text.h"
#include "random_interval.h"

enum { ROOM = 512, CASES = 5000 };

static void assert_decimal(double x, int digits, mpfr_rnd_t rnd, const char *expected) {
  char text[ROOM];
  mpfr_t f;
  mpfr_init2(f, 53);
  mpfr_set_d(f, x, MPFR_RNDN);
  assert_int_equal(mpfr_text_decimal(text, sizeof text, f, digits, rnd), strlen(expected));
  assert_string_equal(text, expected);
  mpfr_clear(f);
}

static void assert_hex(double x, const char *expected) {
  char text[ROOM];
  mpfr_t f;
  mpfr_init2(f, 53);
  mpfr_set_d(f, x, MPFR_RNDN);
  assert_int_equal(mpfr_text_hex(text, sizeof text, f), strlen(expected));
  assert_string_equal(text, expected);
  mpfr_clear(f);
}

static void test_decimal(void **state) {
  (void)state;
  assert_decimal(1.25, 2, MPFR_RNDD, "1.2e+00");
  assert_decimal(1.25, 2, MPFR_RNDU, "1.3e+00");
  assert_decimal(-1.25, 2, MPFR_RNDD, "-1.3e+00");
  assert_decimal(9.99, 1, MPFR_RNDU, "1e+01");
  assert_decimal(1e-300, 3, MPFR_RNDD, "1.00e-300");
  assert_decimal(0.0, 3, MPFR_RNDD, "0.00e+00");
  assert_decimal(-0.0, 3, MPFR_RNDU, "0.00e+00");
  assert_decimal(INFINITY, 3, MPFR_RNDU, "inf");
  assert_decimal(-INFINITY, 3, MPFR_RNDU, "-inf");
  assert_decimal(NAN, 3, MPFR_RNDU, "nan");
}

static void test_hex(void **state) {
  (void)state;
  assert_hex(12, "0x1.8p+3");
  assert_hex(-0.1, "-0x1.999999999999ap-4");
  assert_hex(0x1p-1074, "0x1p-1074");
  assert_hex(0x1.fffffffffffffp+1023, "0x1.fffffffffffffp+1023");
  assert_hex(16, "0x1p+4");
  assert_hex(-0.0, "0x0p+0");
  assert_hex(INFINITY, "inf");
}

/* Cut text is a prefix, ends with NUL, and its whole length is known. */
static void test_short_buffers(void **state) {
  (void)state;
  char whole[ROOM], cut[ROOM];
  mpfr_t x;
  mpfr_init2(x, 100);
  mpfr_set_d(x, 0.1, MPFR_RNDN);
  const int length = mpfr_text_decimal(whole, sizeof whole, x, 20, MPFR_RNDD);
  assert_int_equal(length, strlen(whole));
  assert_int_equal(mpfr_text_decimal(NULL, 0, x, 20, MPFR_RNDD), length);
  for (size_t size = 1; size <= (size_t)length; size++) {
    memset(cut, '#', sizeof cut);
    assert_int_equal(mpfr_text_decimal(cut, size, x, 20, MPFR_RNDD), length);
    assert_int_equal(strlen(cut), size - 1);
    assert_memory_equal(cut, whole, size - 1);
    assert_int_equal(cut[size], '#');
  }
  mpfr_clear(x);
}

static void assert_json_number(const char *text) {
  json_t *const number = json_loads(text, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
  assert_true(json_is_real(number));
  json_decref(number);
}

/* Numbers of any precision: hex reads back equal, decimals enclose, and both fit the promised room. */
static void test_random_numbers(void **state) {
  (void)state;
  char text[ROOM];
  mpfr_t x, back;
  for (uint64_t i = 0; i < CASES; i++) {
    random_source s = random_source_make(1, 500, i);
    const int digits = random_integer(&s, 1, 40);
    mpfr_init2(x, random_precision(&s));
    mpfr_init2(back, 4000);
    random_number(x, &s);
    assert_true((size_t)mpfr_text_hex(text, sizeof text, x) <= (size_t)mpfr_get_prec(x) / 4 + 27);
    mpfr_strtofr(back, text, NULL, 0, MPFR_RNDN);
    assert_true(mpfr_equal_p(back, x));
    assert_true((size_t)mpfr_text_decimal(text, sizeof text, x, digits, MPFR_RNDD) <= (size_t)digits + 23);
    if (fabs(mpfr_get_d(x, MPFR_RNDU)) < 1e300) assert_json_number(text);
    mpfr_strtofr(back, text, NULL, 10, MPFR_RNDD);
    assert_true(mpfr_lessequal_p(back, x));
    mpfr_text_decimal(text, sizeof text, x, digits, MPFR_RNDU);
    mpfr_strtofr(back, text, NULL, 10, MPFR_RNDU);
    assert_true(mpfr_greaterequal_p(back, x));
    mpfr_clear(x);
    mpfr_clear(back);
  }
}

static void test_exponents_beyond_double(void **state) {
  (void)state;
  char text[ROOM];
  mpfr_t x, back;
  mpfr_init2(x, 53);
  mpfr_init2(back, 53);
  mpfr_set_str(x, "1.2345678901234567e400", 10, MPFR_RNDN);
  mpfr_text_decimal(text, sizeof text, x, 5, MPFR_RNDU);
  assert_string_equal(text, "1.2346e+400");
  mpfr_text_hex(text, sizeof text, x);
  mpfr_strtofr(back, text, NULL, 16, MPFR_RNDN);
  assert_true(mpfr_equal_p(back, x));
  mpfr_set_ui_2exp(x, 1, -100000, MPFR_RNDN);
  mpfr_text_hex(text, sizeof text, x);
  assert_string_equal(text, "0x1p-100000");
  mpfr_clear(x);
  mpfr_clear(back);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_decimal),
      cmocka_unit_test(test_hex),
      cmocka_unit_test(test_short_buffers),
      cmocka_unit_test(test_random_numbers),
      cmocka_unit_test(test_exponents_beyond_double),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
