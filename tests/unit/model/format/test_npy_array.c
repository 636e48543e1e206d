/* .npy files of booleans and numbers, of one to eight sides: what is read, and what is refused in one line. */
#include "model/format/npy_array.h"

#include "temp_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

static npy_array read_file(const npy_file *file, const char *name) {
  npy_array a;
  attcert_error err = {.message = ""};
  if (npy_array_from_bytes(&a, file->bytes, file->size, "a.npy", &err) != ATTCERT_OK)
    fail_msg("%s: %s", name, err.message);
  return a;
}

static void booleans_are_read(void **state) {
  (void)state;
  static const unsigned char data[] = {1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1};
  static const struct {
    const char *shape;
    int rank, side[3];
  } rows[] = {{"(12,)", 1, {12}}, {"(3, 4)", 2, {3, 4}}, {"(2, 2, 3)", 3, {2, 2, 3}}, {"( 2,2 , 3 , )", 3, {2, 2, 3}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (int major = 1; major <= 3; major++) {
      char dictionary[128];
      snprintf(dictionary, sizeof dictionary, DICTIONARY("'|b1'", "False", "%s"), rows[i].shape);
      const npy_file file = npy_build(major, dictionary, data, sizeof data);
      npy_array a = read_file(&file, dictionary);
      assert_null(a.number);
      assert_int_equal(a.rank, rows[i].rank);
      for (int s = 0; s < a.rank; s++) assert_int_equal(a.side[s], rows[i].side[s]);
      for (int k = 0; k < 12; k++) assert_true(a.truth[k] == (data[k] == 1));
      npy_array_clear(&a);
    }
  }
}

static void numbers_are_read(void **state) {
  (void)state;
  static const double wide[] = {0.1, -INFINITY, -1e300, 2.0};
  static const float narrow[] = {0.5f, -INFINITY, -1e30f, 2.0f};
  npy_file file = npy_build(1, DICTIONARY("'<f8'", "False", "(1, 2, 2)"), wide, sizeof wide);
  npy_array a = read_file(&file, "<f8");
  assert_null(a.truth);
  assert_memory_equal(a.number, wide, sizeof wide);
  npy_array_clear(&a);
  file = npy_build(1, DICTIONARY("'<f4'", "False", "(2, 2)"), narrow, sizeof narrow);
  a = read_file(&file, "<f4");
  for (int k = 0; k < 4; k++) assert_true(a.number[k] == (double)narrow[k]);
  npy_array_clear(&a);
  const double nan_number = NAN;
  file = npy_build(1, DICTIONARY("'<f8'", "False", "(1,)"), &nan_number, sizeof nan_number);
  a = read_file(&file, "nan");
  assert_true(isnan(a.number[0]));
  npy_array_clear(&a);
}

static void assert_refused(const npy_file *file, const char *reason) {
  npy_array a;
  attcert_error err;
  unsigned char *const exact = malloc(file->size + (file->size == 0)); /* a read beyond it is seen by the sanitizer */
  assert_non_null(exact);
  memcpy(exact, file->bytes, file->size);
  assert_int_equal(npy_array_from_bytes(&a, exact, file->size, "a.npy", &err), ATTCERT_INPUT);
  npy_array_clear(&a);
  if (strstr(err.message, "a.npy: ") == NULL || strstr(err.message, reason) == NULL)
    fail_msg("expected \"%s\" in: %s", reason, err.message);
  free(exact);
}

static void other_files_are_refused(void **state) {
  (void)state;
  static const unsigned char zeros[64];
  static const struct {
    const char *dictionary;
    size_t size;
    const char *reason;
  } bad[] = {
      {DICTIONARY("'|i1'", "False", "(3,)"), 3, "expected"},
      {DICTIONARY("'<i8'", "False", "(3,)"), 24, "expected"},
      {DICTIONARY("'>f8'", "False", "(3,)"), 24, "expected"},
      {DICTIONARY("'<c8'", "False", "(3,)"), 24, "expected"},
      {DICTIONARY("'|O'", "False", "(3,)"), 24, "expected"},
      {DICTIONARY("'|b1'", "True", "(2, 3)"), 6, "expected C order"},
      {DICTIONARY("'|b1'", "False", "()"), 1, "one"},
      {DICTIONARY("'|b1'", "False", "(3)"), 3, "expected"},
      {DICTIONARY("'|b1'", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 3)"), 3, "expected"},
      {DICTIONARY("'|b1'", "False", "(0,)"), 0, "side 0 of its shape is 0, expected 1"},
      {DICTIONARY("'|b1'", "False", "(3, 0, 3)"), 0, "side 1 of its shape is 0, expected 1"},
      {DICTIONARY("'|b1'", "False", "(2147483648,)"), 3, "side 0 of its shape is 2147483648, expected"},
      {DICTIONARY("'|b1'", "False", "(2147483647, 2147483647, 2147483647)"), 3, "side 1 of its shape"},
      {DICTIONARY("'|b1'", "False", "(18446744073709551616,)"), 3, "expected"},
      {DICTIONARY("'|b1'", "False", "(3,)"), 2, "truncated: expected 3 bytes of numbers after the header, found 2"},
      {DICTIONARY("'|b1'", "False", "(3,)"), 4, "trailing bytes: expected 3 bytes"},
      {DICTIONARY("'<f8'", "False", "(2, 1, 2)"), 31, "truncated: expected 32 bytes"},
      {"{'descr': '|b1', 'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", 3, "expected each of the header"},
      {"{'descr': '|b1', 'fortran_order': False, 'shape': (3,), 'shape': (3,), }", 3, "expected each of the header"},
      {"{'x': 'shape', 'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", 3, "expected"},
      {"{'descr': '|b1', 'fortran_order': False, }", 3, "expected"},
      {"", 3, "expected"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const npy_file file = npy_build(1, bad[i].dictionary, zeros, bad[i].size);
    assert_refused(&file, bad[i].reason);
  }
  const npy_file two = npy_build(1, DICTIONARY("'|b1'", "False", "(3,)"), "\1\2\0", 3);
  assert_refused(&two, "entry 1 is the byte 2, expected a boolean, 0 or 1");
}

static void prefixes_are_refused(void **state) {
  (void)state;
  const npy_file good = npy_build(2, DICTIONARY("'|b1'", "False", "(1, 3)"), "\1\0\1", 3);
  for (size_t size = 0; size < good.size; size++) {
    npy_file cut = good;
    cut.size = size;
    assert_refused(&cut, size < 6 ? "not a .npy file" : "truncated");
  }
}

static void files_have_digests(void **state) {
  (void)state;
  char path[512], sha256[65];
  npy_array a;
  attcert_error err;
  const npy_file file = npy_build(1, DICTIONARY("'|b1'", "False", "(3,)"), "\1\0\1", 3);
  temp_folder_write(&temp_folder_shared, "m.npy", file.bytes, file.size);
  assert_int_equal(npy_array_read(&a, sha256, temp_folder_path(path, &temp_folder_shared, "m.npy"), &err), ATTCERT_OK);
  assert_int_equal(strlen(sha256), 64);
  assert_true(a.truth[0] && !a.truth[1] && a.truth[2]);
  npy_array_clear(&a);
  assert_int_equal(npy_array_read(&a, NULL, "/nonexistent/m.npy", &err), ATTCERT_INPUT);
  npy_array_clear(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(booleans_are_read),       cmocka_unit_test(numbers_are_read),
      cmocka_unit_test(other_files_are_refused), cmocka_unit_test(prefixes_are_refused),
      cmocka_unit_test(files_have_digests),
  };
  return cmocka_run_group_tests_name("npy arrays", tests, temp_folder_set_up, temp_folder_tear_down);
}
