/* .npy files of integers: every width, sign and byte order is read; everything else is refused in one line. */
#include "model/format/npy_integers.h"

#include "temp_folder.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
  unsigned char bytes[512];
  size_t size;
} npy_file;

#define DICTIONARY(descr, order, shape) "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"

static npy_file npy_build(int major, const char *dictionary, const void *data, size_t data_size) {
  npy_file file = {.size = 0};
  const size_t text = strlen(dictionary), prefix = major == 1 ? 10 : 12;
  file.size = prefix + text + data_size;
  assert_true(file.size <= sizeof file.bytes);
  memcpy(file.bytes, "\x93NUMPY", 6);
  file.bytes[6] = (unsigned char)major;
  file.bytes[8] = (unsigned char)text;
  memcpy(file.bytes + prefix, dictionary, text);
  if (data_size != 0) memcpy(file.bytes + prefix + text, data, data_size);
  return file;
}

static const int expected[] = {101, 7, 102};

static void assert_reads(int major, const char *dictionary, const void *data, size_t data_size) {
  const npy_file file = npy_build(major, dictionary, data, data_size);
  int *values, count;
  attcert_error err;
  if (npy_integers_from_bytes(&values, &count, file.bytes, file.size, "ids.npy", &err) != ATTCERT_OK)
    fail_msg("%s: %s", dictionary, err.message);
  assert_int_equal(count, 3);
  assert_memory_equal(values, expected, sizeof expected);
  free(values);
}

/* 101, 7, 102 in every type; x86 and ARM store the low byte first. */
static void all_types_are_read(void **state) {
  (void)state;
  static const int8_t i1[] = {101, 7, 102};
  static const int16_t i2[] = {101, 7, 102};
  static const int32_t i4[] = {101, 7, 102};
  static const int64_t i8[] = {101, 7, 102};
  static const unsigned char big2[] = {0, 101, 0, 7, 0, 102}, big4[] = {0, 0, 0, 101, 0, 0, 0, 7, 0, 0, 0, 102};
  for (int major = 1; major <= 3; major++) assert_reads(major, DICTIONARY("'<i8'", "False", "(3,)"), i8, sizeof i8);
  assert_reads(1, DICTIONARY("'|i1'", "False", "(3,)"), i1, sizeof i1);
  assert_reads(1, DICTIONARY("'|u1'", "False", "(1, 3)"), i1, sizeof i1);
  assert_reads(1, DICTIONARY("'<i2'", "False", "(1, 3)"), i2, sizeof i2);
  assert_reads(1, DICTIONARY("'<u2'", "False", "(3,)"), i2, sizeof i2);
  assert_reads(1, DICTIONARY("'<i4'", "False", "(3,)"), i4, sizeof i4);
  assert_reads(1, "{\"shape\": (3,), 'fortran_order': False, \"descr\" : \"<u4\"}", i4, sizeof i4);
  assert_reads(1, DICTIONARY("'<u8'", "False", "(3,)"), i8, sizeof i8);
  assert_reads(1, DICTIONARY("'>i2'", "False", "(3,)"), big2, sizeof big2);
  assert_reads(1, DICTIONARY("'>u4'", "False", "(3,)"), big4, sizeof big4);
}

static void assert_refused(const npy_file *file, const char *reason) {
  int *values = (int *)1, count;
  attcert_error err;
  unsigned char *const exact = malloc(file->size); /* its own block: a read beyond it is seen by the sanitizer */
  assert_non_null(exact);
  memcpy(exact, file->bytes, file->size);
  assert_int_equal(npy_integers_from_bytes(&values, &count, exact, file->size, "ids.npy", &err), ATTCERT_INPUT);
  assert_null(values);
  assert_non_null(strstr(err.message, "ids.npy: "));
  if (strstr(err.message, reason) == NULL) fail_msg("expected \"%s\" in: %s", reason, err.message);
  free(exact);
}

static void other_files_are_refused(void **state) {
  (void)state;
  static const unsigned char zeros[48];
  static const struct {
    const char *dictionary;
    size_t size;
    const char *reason;
  } bad[] = {
      {DICTIONARY("'<f8'", "False", "(3,)"), 24, "expected integers, of a dtype such as '<i8' or '<i4', found '<f8'"},
      {DICTIONARY("'<f4'", "False", "(3,)"), 12, "found '<f4'"},
      {DICTIONARY("'|b1'", "False", "(3,)"), 3, "found '|b1'"},
      {DICTIONARY("'<c8'", "False", "(3,)"), 24, "found '<c8'"},
      {DICTIONARY("'<i3'", "False", "(3,)"), 9, "found '<i3'"},
      {DICTIONARY("'|i4'", "False", "(3,)"), 12, "found '|i4'"},
      {DICTIONARY("'<i16'", "False", "(3,)"), 48, "found '<i16'"},
      {DICTIONARY("'<U1'", "False", "(3,)"), 12, "found '<U1'"},
      {DICTIONARY("'|O'", "False", "(3,)"), 24, "found '|O'"},
      {DICTIONARY("[('x', '<i8')]", "False", "(3,)"), 24, "expected integers"},
      {DICTIONARY("'<i8'", "False", "(0,)"), 0, "0 integers, expected 1"},
      {DICTIONARY("'<i8'", "False", "(1, 0)"), 0, "0 integers, expected 1"},
      {DICTIONARY("'<i8'", "False", "()"), 8, "one or two dimensions"},
      {DICTIONARY("'<i8'", "False", "(1, 1, 3)"), 24, "one or two dimensions"},
      {DICTIONARY("'<i8'", "False", "(3, 1)"), 24, "its shape is [3, 1], expected [n] or [1, n]"},
      {DICTIONARY("'<i8'", "True", "(2, 3)"), 48, "expected C order"},
      {DICTIONARY("'<i8'", "False", "(3,)"), 23, "expected 24 bytes of integers after the header, found 23"},
      {DICTIONARY("'<i8'", "False", "(3,)"), 25, "expected 24 bytes of integers after the header, found 25"},
      {DICTIONARY("'<i8'", "False", "(18446744073709551615,)"), 8, "18446744073709551615 integers, expected 1"},
      {"{'descr': '<i8', 'descr': '<i8', 'fortran_order': False, 'shape': (3,), }", 24,
       "expected each of the header keys"},
      {"{'x': 'descr', 'descr': '<i8', 'fortran_order': False, 'shape': (3,), }", 24,
       "expected each of the header keys"},
      {"{'fortran_order': False, 'shape': (3,), }", 24, "expected"},
      {"", 24, "expected integers"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const npy_file file = npy_build(1, bad[i].dictionary, zeros, bad[i].size);
    assert_refused(&file, bad[i].reason);
  }
}

static void prefixes_are_refused(void **state) {
  (void)state;
  static const int64_t ids[] = {101, 7, 102};
  const npy_file good = npy_build(1, DICTIONARY("'<i8'", "False", "(3,)"), ids, sizeof ids);
  for (size_t size = 1; size < good.size; size++) {
    npy_file cut = good;
    cut.size = size;
    assert_refused(&cut, size < 6                                                   ? "not a .npy file"
                         : size < 10 + strlen(DICTIONARY("'<i8'", "False", "(3,)")) ? "truncated"
                                                                                    : "expected 24 bytes");
  }
}

static void values_out_of_range_are_named(void **state) {
  (void)state;
  static const int8_t i1[] = {1, -128, 2};
  static const int64_t i8[] = {1, 2, -5}, least[] = {INT64_MIN, 0, 0}, large[] = {0, (int64_t)INT_MAX + 1, 0};
  static const uint64_t u8[] = {UINT64_MAX, 0, 0};
  static const uint32_t u4[] = {0, 0, UINT32_MAX};
  npy_file file = npy_build(1, DICTIONARY("'|i1'", "False", "(3,)"), i1, sizeof i1);
  assert_refused(&file, "entry 1 is -128, expected an integer from 0 to 2147483647");
  file = npy_build(1, DICTIONARY("'<i8'", "False", "(3,)"), i8, sizeof i8);
  assert_refused(&file, "entry 2 is -5, ");
  file = npy_build(1, DICTIONARY("'<i8'", "False", "(3,)"), least, sizeof least);
  assert_refused(&file, "entry 0 is -9223372036854775808, ");
  file = npy_build(1, DICTIONARY("'<i8'", "False", "(3,)"), large, sizeof large);
  assert_refused(&file, "entry 1 is 2147483648, ");
  file = npy_build(1, DICTIONARY("'<u8'", "False", "(3,)"), u8, sizeof u8);
  assert_refused(&file, "entry 0 is 18446744073709551615, ");
  file = npy_build(1, DICTIONARY("'<u4'", "False", "(3,)"), u4, sizeof u4);
  assert_refused(&file, "entry 2 is 4294967295, ");
}

static void a_file_is_read_with_its_digest(void **state) {
  (void)state;
  static const int32_t ids[] = {101, 7, 102};
  const npy_file file = npy_build(1, DICTIONARY("'<i4'", "False", "(3,)"), ids, sizeof ids);
  char path[512], sha256[65] = "";
  int *values, count;
  attcert_error err;
  temp_folder_write(&temp_folder_shared, "ids.npy", file.bytes, file.size);
  temp_folder_path(path, &temp_folder_shared, "ids.npy");
  assert_int_equal(npy_integers_read(&values, &count, sha256, path, &err), ATTCERT_OK);
  assert_int_equal(count, 3);
  assert_memory_equal(values, expected, sizeof expected);
  assert_int_equal(strlen(sha256), 64);
  free(values);
  temp_folder_path(path, &temp_folder_shared, "missing.npy");
  assert_int_equal(npy_integers_read(&values, &count, NULL, path, &err), ATTCERT_INPUT);
  assert_null(values);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_types_are_read),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(prefixes_are_refused),
      cmocka_unit_test(values_out_of_range_are_named),
      cmocka_unit_test(a_file_is_read_with_its_digest),
  };
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
