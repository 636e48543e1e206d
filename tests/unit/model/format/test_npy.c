/* .npy files: what NumPy writes is read exactly, what is written reads back, everything else is refused in one line. */
#include "model/format/npy.h"

#include "temp_folder.h"
#include "test_data.h"

#include <math.h>
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

/* A file of version major.0 around a dictionary's text. */
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

static attcert_status read_file(attcert_matrix *m, const npy_file *file, attcert_error *err) {
  return npy_from_bytes(m, file->bytes, file->size, "x.npy", err);
}

static void assert_reads(int major, const char *dictionary, const void *data, size_t data_size, int rows, int cols,
                         const double *expected) {
  const npy_file file = npy_build(major, dictionary, data, data_size);
  attcert_matrix m;
  attcert_error err;
  if (read_file(&m, &file, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_int_equal(m.rows, rows);
  assert_int_equal(m.cols, cols);
  assert_memory_equal(m.data, expected, sizeof(double) * (size_t)(rows * cols));
  attcert_matrix_clear(&m);
}

static const double six[] = {1.0 / 3, -0x1p-1074, 0x1.fffffffffffffp1023, 0, -0.0, 6};
static const double six_columns[] = {1.0 / 3, 0x1.fffffffffffffp1023, -0.0, -0x1p-1074, 0, 6}; /* (2, 3), by columns */
static const float six_single[] = {1, -2.5f, 0x1p-149f, 4, 5, 6};
static const double six_of_single[] = {1, -2.5, 0x1p-149, 4, 5, 6};
static const unsigned char two_halves[] = {0x00, 0xc1, 0x01, 0x00};
static const double two_of_half[] = {-2.5, 0x1p-24};

static void all_forms_are_read(void **state) {
  (void)state;
  const char *const plain = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }      \n";
  for (int major = 1; major <= 3; major++) assert_reads(major, plain, six, sizeof six, 3, 2, six);
  assert_reads(1, "{'descr':'<f4','fortran_order':False,'shape':(2,3)}\n", six_single, sizeof six_single, 2, 3,
               six_of_single);
  assert_reads(1, "{\"shape\": (2, 3,), \"descr\": \"<f8\", \"fortran_order\": False}", six, sizeof six, 2, 3, six);
  assert_reads(1, "{ 'descr' : '<f8' , 'fortran_order' : False , 'shape' : ( 6 , ) , }\n", six, sizeof six, 1, 6, six);
  assert_reads(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3, 2), }\n", six, sizeof six, 3, 2, six);
  assert_reads(2, "{'shape':( 1 ,3,2),'fortran_order':False,'descr':'<f8'}\n", six, sizeof six, 3, 2, six);
  assert_reads(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n", six, sizeof six, 2, 3, six_columns);
  assert_reads(3, "{\"fortran_order\":True,'descr':'<f8','shape':(1,2,3)}", six, sizeof six, 2, 3, six_columns);
  assert_reads(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (6,), }\n", six, sizeof six, 1, 6, six);
  assert_reads(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 1), }\n", two_halves, sizeof two_halves, 2, 1,
               two_of_half);
}

typedef struct {
  const char *name, *dictionary;
  size_t data_size;
  const char *reason;
} bad_npy;

#define DICTIONARY(descr, order, shape) "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"
#define SHAPE(shape) DICTIONARY("'<f8'", "False", shape)
#define DESCR(descr) DICTIONARY(descr, "False", "(1, 1)")

static const bad_npy bad_dictionaries[] = {
    {"empty header", "", 8, "malformed header"},
    {"no dictionary", "('<f8', False, (1, 1))\n", 8, "malformed header"},
    {"no end", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), ", 8, "malformed header"},
    {"missing comma", "{'descr': '<f8' 'fortran_order': False, 'shape': (1, 1)}", 8, "malformed header"},
    {"missing colon", "{'descr' '<f8', 'fortran_order': False, 'shape': (1, 1)}", 8, "malformed header"},
    {"two commas", "{'descr': '<f8',, 'fortran_order': False, 'shape': (1, 1)}", 8, "malformed header"},
    {"missing key", "{'descr': '<f8', 'shape': (1, 1)}", 8, "each of the header keys"},
    {"duplicate key", "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}", 8,
     "each of the header keys"},
    {"unknown key", "{'descr': '<f8', 'order': False, 'shape': (1, 1)}", 8, "each of the header keys"},
    {"known key, continued", "{'descrX': '<f8', 'fortran_order': False, 'shape': (1, 1)}", 8,
     "each of the header keys"},
    {"known key, cut short", "{'desc': '<f8', 'fortran_order': False, 'shape': (1, 1)}", 8, "each of the header keys"},
    {"Fortran order of four sides", DICTIONARY("'<f8'", "True", "(1, 1, 1, 1)"), 8, "of shape (1, n, d)"},
    {"Fortran order twice", "{'fortran_order': True, 'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }", 8,
     "expected C order"},
    {"a key in a key", "{'x\"fortran_order': True, 'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }", 8,
     "each of the header keys"},
    {"order in lower case", DICTIONARY("'<f8'", "false", "(1, 1)"), 8, "malformed header"},
    {"order as a number", DICTIONARY("'<f8'", "0", "(1, 1)"), 8, "malformed header"},
    {"objects", DESCR("'|O'"), 8, "structured or object dtype"},
    {"objects, old", DESCR("'O'"), 8, "structured or object dtype"},
    {"structured", DESCR("[('x', '<f8')]"), 8, "found [('x'"},
    {"big-endian", DESCR("'>f8'"), 8, "unsupported dtype"},
    {"integers", DESCR("'<i8'"), 8, "unsupported dtype, expected '<f8', '<f4' or '<f2', found '<i8'"},
    {"complex", DESCR("'<c8'"), 8, "unsupported dtype"},
    {"long double", DESCR("'<f16'"), 16, "unsupported dtype"},
    {"empty dtype", DESCR("''"), 8, "unsupported dtype"},
    {"escape in a string", DESCR("'<f8\\x00'"), 8, "malformed header"},
    {"scalar", SHAPE("()"), 8, "one or two dimensions"},
    {"three dimensions", SHAPE("(2, 1, 1)"), 16, "one or two dimensions, or of shape (1, n, d)"},
    {"four dimensions", SHAPE("(1, 1, 1, 1)"), 8, "one or two dimensions, or of shape (1, n, d)"},
    {"a batch that is cut short", SHAPE("(1, 2, 1)"), 8, "truncated: expected 16 bytes"},
    {"a batch of no tokens", SHAPE("(1, 0, 2)"), 0, "side 0 of its shape is 0"},
    {"parenthesised integer", SHAPE("(1)"), 8, "malformed shape"},
    {"integer", SHAPE("1"), 8, "malformed shape"},
    {"list", SHAPE("[1, 1]"), 8, "malformed shape"},
    {"lone comma", SHAPE("(,)"), 8, "malformed shape"},
    {"two commas in the shape", SHAPE("(1,, 1)"), 8, "malformed shape"},
    {"no comma in the shape", SHAPE("(1 1)"), 8, "malformed shape"},
    {"negative side", SHAPE("(-1, 1)"), 8, "malformed shape"},
    {"fractional side", SHAPE("(1.0, 1)"), 8, "malformed shape"},
    {"Python 2 long", SHAPE("(1L, 1L)"), 8, "malformed shape"},
    {"leading zero", SHAPE("(01, 1)"), 8, "malformed shape"},
    {"side beyond 64 bits", SHAPE("(18446744073709551616, 1)"), 8, "malformed shape"},
    {"side beyond an int", SHAPE("(2147483648, 1)"), 8, "side 0 of its shape is 2147483648, expected 1 to 2147483647"},
    {"no tokens", SHAPE("(0, 4)"), 0, "side 0 of its shape is 0"},
    {"no dimension", SHAPE("(4, 0)"), 0, "side 1 of its shape is 0"},
    {"huge", SHAPE("(2147483647, 2147483647)"), 8, "exceeds 64 bits"},
    {"truncated numbers", SHAPE("(2, 1)"), 15, "truncated: expected 16 bytes of numbers after the header, found 15"},
    {"trailing bytes", SHAPE("(1, 1)"), 9, "trailing bytes: expected 8 bytes of numbers after the header, found 9"},
    {"text after the dictionary", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)} x\n", 8,
     "only spaces and a final newline"},
    {"two newlines", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}\n\n", 8,
     "only spaces and a final newline"},
};

static void dictionary_is_refused(void **state) {
  const bad_npy *const row = *state;
  static const unsigned char zeros[16];
  const npy_file file = npy_build(1, row->dictionary, zeros, row->data_size);
  attcert_matrix m;
  attcert_error err;
  assert_int_equal(read_file(&m, &file, &err), ATTCERT_INPUT);
  assert_null(m.data);
  assert_non_null(strstr(err.message, "x.npy: "));
  if (strstr(err.message, row->reason) == NULL) fail_msg("expected \"%s\" in: %s", row->reason, err.message);
}

static void assert_refused(const unsigned char *bytes, size_t size, const char *reason) {
  attcert_matrix m;
  attcert_error err;
  unsigned char *const exact = malloc(size + 1); /* its own block: a read beyond it is seen by the sanitizer */
  assert_non_null(exact);
  memcpy(exact, bytes, size);
  assert_int_equal(npy_from_bytes(&m, exact, size, "x.npy", &err), ATTCERT_INPUT);
  if (strstr(err.message, reason) == NULL) fail_msg("expected \"%s\" in: %s", reason, err.message);
  free(exact);
}

static void prefixes_are_refused(void **state) {
  (void)state;
  for (int major = 1; major <= 3; major++) {
    const npy_file good = npy_build(major, SHAPE("(3, 2)"), six, sizeof six);
    for (size_t size = 0; size < good.size; size++)
      assert_refused(good.bytes, size, size < 6 ? "not a .npy file" : "truncated");
  }
}

static void magic_version_and_length_are_checked(void **state) {
  (void)state;
  const npy_file good = npy_build(1, SHAPE("(3, 2)"), six, sizeof six);
  npy_file bad = good;
  bad.bytes[0] = 'N';
  assert_refused(bad.bytes, bad.size, "not a .npy file");
  for (unsigned version = 0; version < 256; version++) {
    bad = good;
    bad.bytes[6] = (unsigned char)version;
    if (version == 0 || version > 3) assert_refused(bad.bytes, bad.size, "unknown .npy version");
  }
  bad = good;
  bad.bytes[7] = 1;
  assert_refused(bad.bytes, bad.size, "unknown .npy version");
  bad = good;
  bad.bytes[9] = 0xff;
  assert_refused(bad.bytes, bad.size, "truncated");
  bad = npy_build(2, SHAPE("(3, 2)"), six, sizeof six);
  bad.bytes[11] = 0xff;
  assert_refused(bad.bytes, bad.size, "truncated");
}

static void numbers_that_are_not_finite_are_named(void **state) {
  (void)state;
  static const double bad[] = {1, 2, 3, 4, NAN, 6}, infinite[] = {1, INFINITY, 3, 4, 5, 6};
  attcert_matrix m;
  attcert_error err;
  npy_file file = npy_build(1, SHAPE("(3, 2)"), bad, sizeof bad);
  assert_int_equal(read_file(&m, &file, &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "x.npy: entry [2, 0] is NaN, expected a finite number");
  file = npy_build(1, SHAPE("(6,)"), infinite, sizeof infinite);
  assert_int_equal(read_file(&m, &file, &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "x.npy: entry [0, 1] is infinite, expected a finite number");
  assert_null(m.data);
}

static void what_is_written_reads_back(void **state) {
  (void)state;
  temp_folder folder;
  temp_folder_init(&folder);
  char path[512];
  temp_folder_path(path, &folder, "x.npy");
  double numbers[6];
  memcpy(numbers, six, sizeof six);
  const attcert_matrix written = {3, 2, numbers};
  attcert_matrix m;
  attcert_error err;
  assert_int_equal(npy_write(path, &written, &err), ATTCERT_OK);
  assert_int_equal(npy_read(&m, NULL, path, &err), ATTCERT_OK);
  assert_int_equal(m.rows, 3);
  assert_int_equal(m.cols, 2);
  assert_memory_equal(m.data, six, sizeof six);
  attcert_matrix_clear(&m);
  assert_int_equal(temp_folder_count(&folder), 1);
  temp_folder_clear(&folder);
}

/* Byte for byte what numpy.save writes for this matrix. */
static void the_written_header_is_numpys(void **state) {
  (void)state;
  static const char expected[] = "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }";
  temp_folder folder;
  temp_folder_init(&folder);
  char path[512], bytes[256];
  double numbers[] = {1, -2.5};
  assert_int_equal(npy_write(temp_folder_path(path, &folder, "x.npy"), &(attcert_matrix){2, 1, numbers}, NULL),
                   ATTCERT_OK);
  FILE *const stream = fopen(path, "rb");
  assert_non_null(stream);
  assert_int_equal(fread(bytes, 1, sizeof bytes, stream), 128 + 16);
  fclose(stream);
  assert_memory_equal(bytes, expected, sizeof expected - 1);
  for (size_t i = sizeof expected - 1; i < 127; i++) assert_int_equal(bytes[i], ' ');
  assert_int_equal(bytes[127], '\n');
  assert_memory_equal(bytes + 128, "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x04\xc0", 16);
  temp_folder_clear(&folder);
}

static void missing_files_are_named(void **state) {
  (void)state;
  attcert_matrix m;
  attcert_error err;
  assert_int_equal(npy_read(&m, NULL, "/nonexistent/x.npy", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "/nonexistent/x.npy: cannot read"));
  assert_int_equal(npy_write("/nonexistent/x.npy", &(attcert_matrix){1, 1, (double[]){1}}, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "/nonexistent/x.npy: cannot write"));
}

/* The embedded sentences of the trained model, where they are at hand. */
static void real_inputs_are_read(void **state) {
  (void)state;
  static const int rows[] = {21, 10, 21, 17, 27};
  for (int i = 0; i < 5; i++) {
    char path[512], name[64];
    attcert_matrix m;
    snprintf(name, sizeof name, "models/bert-tiny-sst2/input_%d.npy", i);
    assert_int_equal(npy_read(&m, NULL, test_data_path(path, name), NULL), ATTCERT_OK);
    assert_int_equal(m.rows, rows[i]);
    assert_int_equal(m.cols, 128);
    attcert_matrix_clear(&m);
  }
}

int main(void) {
  enum { ROWS = sizeof bad_dictionaries / sizeof bad_dictionaries[0] };
  struct CMUnitTest tests[ROWS + 8] = {
      [ROWS] = cmocka_unit_test(all_forms_are_read),
      cmocka_unit_test(prefixes_are_refused),
      cmocka_unit_test(magic_version_and_length_are_checked),
      cmocka_unit_test(numbers_that_are_not_finite_are_named),
      cmocka_unit_test(what_is_written_reads_back),
      cmocka_unit_test(the_written_header_is_numpys),
      cmocka_unit_test(missing_files_are_named),
      cmocka_unit_test(real_inputs_are_read),
  };
  for (size_t i = 0; i < ROWS; i++)
    tests[i] = (struct CMUnitTest){bad_dictionaries[i].name, dictionary_is_refused, NULL, NULL,
                                   (void *)(uintptr_t)&bad_dictionaries[i]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
