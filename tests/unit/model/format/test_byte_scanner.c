/* Each scanner consumes exactly what it describes or nothing, and never reads past the end: the texts lie in heap
 * blocks of exactly their length, so that the address sanitizer sees a byte too many. */
#include "model/format/byte_scanner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned char *exact_copy(const char *text, size_t length) {
  unsigned char *const copy = malloc(length == 0 ? 1 : length);
  assert_non_null(copy);
  memcpy(copy, text, length);
  return copy;
}

static void integers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t consumed; /* 0: refused */
    uint64_t value;
  } row[] = {{"0", 1, 0},
             {"7,", 1, 7},
             {"1234567890", 10, 1234567890},
             {"18446744073709551615", 20, UINT64_MAX},
             {"18446744073709551616", 0, 0},
             {"99999999999999999999", 0, 0},
             {"184467440737095516150", 0, 0},
             {"007", 0, 0},
             {"00", 0, 0},
             {"-1", 0, 0},
             {"+1", 0, 0},
             {" 1", 0, 0},
             {"", 0, 0},
             {"a", 0, 0},
             {"0x10", 1, 0},
             {"3.5", 1, 3}};
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    const size_t length = strlen(row[i].text);
    unsigned char *const text = exact_copy(row[i].text, length);
    size_t position = 0;
    uint64_t value = 42;
    assert_int_equal(byte_scanner_integer(text, length, &position, &value), row[i].consumed != 0);
    assert_int_equal(position, row[i].consumed);
    assert_true(value == (row[i].consumed != 0 ? row[i].value : 42));
    free(text);
  }
}

static void strings(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t consumed;
  } row[] = {{"'descr':", 7}, {"\"descr\"", 7}, {"''", 2},    {"'", 0},        {"", 0},
             {"'abc", 0},     {"'a\"b'", 5},    {"'a\\'", 0}, {"'a\\x41'", 0}, {"abc'", 0}};
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    const size_t length = strlen(row[i].text);
    unsigned char *const text = exact_copy(row[i].text, length);
    size_t position = 0, begin = 99, end = 99;
    const bool found = byte_scanner_string(text, length, &position, &begin, &end);
    assert_int_equal(found, row[i].consumed != 0);
    assert_int_equal(position, row[i].consumed);
    assert_int_equal(begin, found ? 1 : 99);
    assert_int_equal(end, found ? position - 1 : 99);
    free(text);
  }
}

static void words_bytes_and_spaces(void **state) {
  (void)state;
  unsigned char *const text = exact_copy("  True,", 7);
  size_t position = 0;
  assert_false(byte_scanner_byte(text, 7, &position, 'T'));
  byte_scanner_spaces(text, 7, &position);
  assert_int_equal(position, 2);
  assert_false(byte_scanner_word(text, 7, &position, "False", 5));
  assert_false(byte_scanner_word(text, 7, &position, "True,x", 6)); /* longer than what is left */
  assert_int_equal(position, 2);
  assert_true(byte_scanner_word(text, 7, &position, "True", 4));
  assert_int_equal(position, 6);
  assert_true(byte_scanner_byte(text, 7, &position, ','));
  assert_int_equal(position, 7);
  assert_false(byte_scanner_byte(text, 7, &position, ','));
  byte_scanner_spaces(text, 7, &position);
  assert_int_equal(position, 7);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),
      cmocka_unit_test(strings),
      cmocka_unit_test(words_bytes_and_spaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
