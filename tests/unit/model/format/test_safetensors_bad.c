/* Every way for a safetensors file to be wrong is refused when it is opened, in one line that names file and tensor.
 * One row of the tables below is one test. */
#include "model/format/safetensors.h"

#include "safetensors_writer.h"
#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
  const char *name;
  const char *header;
  size_t data_size;
  const char *reason;
} bad_header;

#define TENSOR(name, dtype, shape, offsets) \
  "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
#define FILE_OF(tensors) "{" tensors "}"
#define ONE(dtype, shape, offsets) FILE_OF(TENSOR("w", dtype, shape, offsets))

static const bad_header bad_headers[] = {
    /* the text */
    {"empty header", "", 0, "does not begin with '{'"},
    {"leading space", " {}", 0, "does not begin with '{'"},
    {"newline padding", "{}\n", 0, "ends with byte 0x0a, expected '}' and padding by spaces (0x20)"},
    {"not JSON", "{w}", 0, "expected UTF-8 JSON"},
    {"not UTF-8", "{\"\xff\":1}", 0, "UTF-8"},
    {"two objects", "{}{}", 0, "end of file expected"},
    {"duplicate tensor", FILE_OF(TENSOR("w", "F32", "[1]", "[0,4]") "," TENSOR("w", "F32", "[1]", "[4,8]")), 8,
     "duplicate object key near '\"w\"'"},
    {"duplicate key in a tensor", "{\"w\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
     4, "duplicate object key near '\"dtype\"'"},
    {"duplicate metadata", "{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0, "duplicate object key near '\"a\"'"},
    {"metadata of numbers", "{\"__metadata__\":{\"num_heads\":4}}", 0, "__metadata__: 'num_heads' is not a string"},
    {"metadata no object", "{\"__metadata__\":[]}", 0, "__metadata__: expected an object of strings"},
    /* an entry */
    {"tensor no object", "{\"w\":3}", 0, "tensor 'w': expected dtype, shape and data_offsets"},
    {"missing dtype", "{\"w\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "not found: dtype"},
    {"missing shape", "{\"w\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "not found: shape"},
    {"missing offsets", "{\"w\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "not found: data_offsets"},
    {"unknown key", "{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"scale\":2}}", 4, "scale"},
    {"dtype no string", "{\"w\":{\"dtype\":32,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "Expected string"},
    {"shape no array", ONE("F32", "1", "[0,4]"), 4, "expected a shape of at most 8 sides"},
    {"nine sides", ONE("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4, "expected a shape of at most 8 sides"},
    {"negative side", ONE("F32", "[-1]", "[0,4]"), 4, "side 0 of its shape is not an integer >= 0"},
    {"fractional side", ONE("F32", "[1,1.0]", "[0,4]"), 4, "side 1 of its shape is not an integer >= 0"},
    {"side in words", ONE("F32", "[\"1\"]", "[0,4]"), 4, "side 0 of its shape is not an integer >= 0"},
    {"overflowing product", ONE("F32", "[4294967296,4294967297]", "[0,0]"), 0, "entries of its shape exceeds 64 bits"},
    {"overflowing then zero", ONE("F32", "[4294967296,4294967297,0]", "[0,0]"), 0, "exceeds 64 bits"},
    {"overflowing bytes", ONE("F64", "[2305843009213693952]", "[0,0]"), 0, "do not match its shape"},
    {"side beyond 63 bits", ONE("F32", "[9223372036854775808]", "[0,0]"), 0, "too big integer"},
    /* its range */
    {"one offset", ONE("F32", "[1]", "[0]"), 4, "data_offsets"},
    {"three offsets", ONE("F32", "[1]", "[0,4,8]"), 4, "data_offsets"},
    {"fractional offset", ONE("F32", "[1]", "[0,4.0]"), 4, "Expected integer"},
    {"negative offset", ONE("F32", "[1]", "[-4,0]"), 4, "tensor 'w': negative data_offsets"},
    {"offsets out of order", ONE("F32", "[1]", "[4,0]"), 4, "data_offsets [4, 0] do not lie within 4 bytes"},
    {"offsets out of range", ONE("F32", "[2]", "[0,8]"), 4, "data_offsets [0, 8] do not lie within 4 bytes"},
    {"too short for its shape", ONE("F32", "[2]", "[0,4]"), 4, "data_offsets [0, 4] do not match its shape"},
    {"too long for its shape", ONE("F16", "[1]", "[0,4]"), 4, "1 entries of 16 bits"},
    {"unused dtype, wrong length", ONE("I64", "[1]", "[0,4]"), 4, "1 entries of 64 bits"},
    {"half a byte", ONE("F4", "[3]", "[0,2]"), 2, "do not match its shape"},
    /* all ranges */
    {"overlap", FILE_OF(TENSOR("a", "F32", "[2]", "[0,8]") "," TENSOR("b", "F32", "[1]", "[4,8]")), 8,
     "tensor 'b': its data begin at 4, expected 8 (overlapping another tensor)"},
    {"same range twice", FILE_OF(TENSOR("a", "F32", "[1]", "[0,4]") "," TENSOR("b", "F32", "[1]", "[0,4]")), 4,
     "overlapping another tensor"},
    {"hole", FILE_OF(TENSOR("a", "F32", "[1]", "[0,4]") "," TENSOR("b", "F32", "[1]", "[8,12]")), 12,
     "tensor 'b': its data begin at 8, expected 4 (a hole in the data)"},
    {"hole at the beginning", ONE("F32", "[1]", "[4,8]"), 8, "a hole in the data"},
    {"trailing data", ONE("F32", "[1]", "[0,4]"), 5, "cover 4 bytes, but 5 bytes of data follow"},
    {"data without tensors", "{}", 1, "cover 0 bytes, but 1 bytes of data follow"},
};

static void assert_bytes_refused(const unsigned char *bytes, size_t size, const char *reason) {
  safetensors *file;
  attcert_error err;
  assert_int_equal(safetensors_from_bytes(&file, bytes, size, "bad.safetensors", &err), ATTCERT_INPUT);
  assert_null(file);
  assert_non_null(strstr(err.message, "bad.safetensors: "));
  assert_null(strchr(err.message, '\n'));
  if (strstr(err.message, reason) == NULL) fail_msg("expected \"%s\" in: %s", reason, err.message);
}

static void header_is_refused(void **state) {
  const bad_header *const row = *state;
  static const unsigned char data[16];
  const file_bytes file = safetensors_raw(row->header, data, row->data_size);
  assert_bytes_refused(file.bytes, file.size, row->reason);
  free(file.bytes);
}

/* A valid file of which every proper prefix is wrong. */
static void every_truncation_is_refused(void **state) {
  (void)state;
  static const double numbers[] = {1, 2, 3};
  static const test_tensor tensors[] = {{"w", 1, 3, numbers}};
  const file_bytes file = safetensors_build(tensors, 1, NULL);
  for (size_t size = 0; size < file.size; size++) {
    unsigned char *const prefix = malloc(size + 1); /* its own block: a read beyond it is seen by the sanitizer */
    assert_non_null(prefix);
    memcpy(prefix, file.bytes, size);
    assert_bytes_refused(prefix, size, size < 8 ? "too short" : "");
    free(prefix);
  }
  free(file.bytes);
}

static void nul_padding_is_refused(void **state) {
  (void)state;
  static const unsigned char file[] = {4, 0, 0, 0, 0, 0, 0, 0, '{', '}', 0, 0};
  assert_bytes_refused(file, sizeof file, "header ends with byte 0x00, expected '}' and padding by spaces (0x20)");
}

static void huge_header_length_is_refused(void **state) {
  (void)state;
  static const unsigned char file[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, '{', '}'};
  assert_bytes_refused(file, sizeof file, "a header of 18446744073709551615 bytes in a file of 10 bytes");
}

/* A sparse file that does hold the 100,000,001 bytes its header claims. */
static void header_over_the_limit_is_refused(void **state) {
  (void)state;
  temp_folder folder;
  temp_folder_init(&folder);
  static const unsigned char prefix[] = {0x01, 0xe1, 0xf5, 0x05, 0, 0, 0, 0, '{'};
  temp_folder_write(&folder, "big", prefix, sizeof prefix);
  char path[512];
  safetensors *file;
  attcert_error err;
  assert_int_equal(truncate(temp_folder_path(path, &folder, "big"), 8 + 100000001), 0);
  assert_int_equal(safetensors_open(&file, path, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "a header of 100000001 bytes, expected at most 100000000"));
  temp_folder_clear(&folder);
}

static void missing_file_and_folder_are_named(void **state) {
  (void)state;
  safetensors *file;
  attcert_error err;
  assert_int_equal(safetensors_open(&file, "/nonexistent/m.safetensors", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "/nonexistent/m.safetensors: cannot read: No such file"));
  assert_int_equal(safetensors_open(&file, "/", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "expected a regular file"));
  assert_null(file);
}

int main(void) {
  enum { ROWS = sizeof bad_headers / sizeof bad_headers[0] };
  struct CMUnitTest tests[ROWS + 5] = {
      [ROWS] = cmocka_unit_test(every_truncation_is_refused), cmocka_unit_test(nul_padding_is_refused),
      cmocka_unit_test(huge_header_length_is_refused),        cmocka_unit_test(header_over_the_limit_is_refused),
      cmocka_unit_test(missing_file_and_folder_are_named),
  };
  for (size_t i = 0; i < ROWS; i++)
    tests[i] =
        (struct CMUnitTest){bad_headers[i].name, header_is_refused, NULL, NULL, (void *)(uintptr_t)&bad_headers[i]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
