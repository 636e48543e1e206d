/* Reading valid safetensors files: exact numbers, the table of tensors, metadata, and what is tolerated until it is
 * used. */
#include "model/format/safetensors.h"

#include "safetensors_writer.h"
#include "test_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static safetensors *open_bytes(file_bytes bytes) {
  safetensors *file;
  attcert_error err;
  if (safetensors_from_bytes(&file, bytes.bytes, bytes.size, "t.safetensors", &err) != ATTCERT_OK)
    fail_msg("%s", err.message);
  return file;
}

static void numbers_come_back_exactly(void **state) {
  (void)state;
  static const double w[] = {1.0 / 3, -0x1p-1074, 0x1.fffffffffffffp1023, 0, -0.0, 6}, b[] = {-7, 0.1};
  static const test_tensor tensors[] = {{"w", 3, 2, w}, {"b", 2, 0, b}};
  const file_bytes bytes = safetensors_build(tensors, 2, "{\"num_heads\":\"4\",\"\":\"empty\"}");
  safetensors *const file = open_bytes(bytes);
  int rows, cols;
  double matrix[6], vector[2], middle[2];
  assert_int_equal(safetensors_matrix_shape(&rows, &cols, file, "w", NULL), ATTCERT_OK);
  assert_int_equal(rows, 3);
  assert_int_equal(cols, 2);
  assert_int_equal(safetensors_read_matrix(matrix, file, "w", 3, 2, NULL), ATTCERT_OK);
  assert_memory_equal(matrix, w, sizeof w);
  assert_int_equal(safetensors_read_vector(vector, file, "b", 2, NULL), ATTCERT_OK);
  assert_memory_equal(vector, b, sizeof b);
  assert_int_equal(safetensors_read_rows(middle, file, "w", 1, 1, 2, NULL), ATTCERT_OK);
  assert_memory_equal(middle, w + 2, sizeof middle);
  assert_string_equal(safetensors_metadata(file, "num_heads"), "4");
  assert_string_equal(safetensors_metadata(file, ""), "empty");
  assert_null(safetensors_metadata(file, "format"));
  assert_string_equal(safetensors_path(file), "t.safetensors");
  safetensors_close(file);
  free(bytes.bytes);
}

static void every_dtype_is_read(void **state) {
  (void)state;
  /* -2.5 in F64, F32, F16 and BF16 */
  static const unsigned char data[] = {0, 0, 0, 0, 0, 0, 0x04, 0xc0, 0, 0, 0x20, 0xc0, 0x00, 0xc1, 0x20, 0xc0};
  const file_bytes bytes = safetensors_raw("{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]},"
                                           "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]},"
                                           "\"c\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[12,14]},"
                                           "\"d\":{\"dtype\":\"BF16\",\"shape\":[1],\"data_offsets\":[14,16]}}",
                                           data, sizeof data);
  safetensors *const file = open_bytes(bytes);
  for (size_t i = 0; i < 4; i++) {
    double value = 0;
    assert_int_equal(safetensors_read_vector(&value, file, safetensors_at(file, i)->name, 1, NULL), ATTCERT_OK);
    assert_true(value == -2.5);
  }
  safetensors_close(file);
  free(bytes.bytes);
}

static void tensors_are_listed_in_the_order_of_their_data(void **state) {
  (void)state;
  static const unsigned char data[24] = {0};
  const file_bytes bytes = safetensors_raw("{\"z\":{\"dtype\":\"I64\",\"shape\":[2],\"data_offsets\":[8,24]},"
                                           "\"empty\":{\"dtype\":\"F32\",\"shape\":[0,5],\"data_offsets\":[8,8]},"
                                           "\"scalar\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[0,8]}}    ",
                                           data, sizeof data);
  safetensors *const file = open_bytes(bytes);
  assert_int_equal(safetensors_count(file), 3);
  assert_string_equal(safetensors_at(file, 0)->name, "scalar");
  assert_int_equal(safetensors_at(file, 0)->rank, 0);
  assert_int_equal(safetensors_at(file, 0)->count, 1);
  assert_string_equal(safetensors_at(file, 1)->name, "empty");
  assert_int_equal(safetensors_at(file, 1)->count, 0);
  assert_string_equal(safetensors_at(file, 2)->dtype, "I64");
  assert_ptr_equal(safetensors_find(file, "z"), safetensors_at(file, 2));
  assert_null(safetensors_find(file, "y"));
  safetensors_close(file);
  free(bytes.bytes);
}

static void a_file_without_tensors_is_valid(void **state) {
  (void)state;
  const file_bytes bytes = safetensors_raw("{}", NULL, 0);
  safetensors *const file = open_bytes(bytes);
  assert_int_equal(safetensors_count(file), 0);
  assert_null(safetensors_metadata(file, "num_heads"));
  safetensors_close(file);
  free(bytes.bytes);
}

static void assert_message(attcert_status status, const attcert_error *err, const char *expected) {
  assert_int_equal(status, ATTCERT_INPUT);
  assert_string_equal(err->message, expected);
}

static void what_is_asked_for_must_fit(void **state) {
  (void)state;
  static const double numbers[6] = {1, 2, 3, 4, 5, 6};
  static const test_tensor tensors[] = {{"w", 3, 2, numbers}, {"b", 2, 0, numbers}};
  const file_bytes bytes = safetensors_build(tensors, 2, NULL);
  safetensors *const file = open_bytes(bytes);
  double out[6];
  int rows, cols;
  attcert_error err;
  assert_message(safetensors_read_matrix(out, file, "q", 3, 2, &err), &err, "t.safetensors: tensor 'q' is missing");
  assert_message(safetensors_read_matrix(out, file, "w", 2, 3, &err), &err,
                 "t.safetensors: tensor 'w' has shape [3, 2], expected [2, 3]");
  assert_message(safetensors_read_matrix(out, file, "b", 2, 1, &err), &err,
                 "t.safetensors: tensor 'b' has shape [2], expected [2, 1]");
  assert_message(safetensors_read_vector(out, file, "b", 3, &err), &err,
                 "t.safetensors: tensor 'b' has shape [2], expected [3]");
  assert_message(safetensors_read_vector(out, file, "w", 6, &err), &err,
                 "t.safetensors: tensor 'w' has shape [3, 2], expected [6]");
  assert_message(safetensors_matrix_shape(&rows, &cols, file, "b", &err), &err,
                 "t.safetensors: tensor 'b' has shape [2], expected a matrix [rows, columns], sides 1 to 2147483647");
  assert_message(safetensors_read_rows(out, file, "w", 2, 2, 2, &err), &err,
                 "t.safetensors: tensor 'w' has 3 rows, asked for rows 2 to 3");
  assert_message(safetensors_read_rows(out, file, "w", -1, 1, 2, &err), &err,
                 "t.safetensors: tensor 'w' has 3 rows, asked for rows -1 to -1");
  assert_message(safetensors_read_rows(out, file, "w", 0, 1, 3, &err), &err,
                 "t.safetensors: tensor 'w' has shape [3, 2], expected [rows, 3]");
  safetensors_close(file);
  free(bytes.bytes);
}

static void matrix_sides_are_positive_and_fit_an_int(void **state) {
  (void)state;
  const file_bytes bytes = safetensors_raw("{\"a\":{\"dtype\":\"F32\",\"shape\":[0,5],\"data_offsets\":[0,0]},"
                                           "\"b\":{\"dtype\":\"F32\",\"shape\":[5,0],\"data_offsets\":[0,0]},"
                                           "\"c\":{\"dtype\":\"F3\",\"shape\":[2147483648,1],\"data_offsets\":[0,0]}}",
                                           NULL, 0);
  safetensors *const file = open_bytes(bytes);
  for (size_t i = 0; i < 3; i++) {
    int rows, cols;
    attcert_error err;
    assert_int_equal(safetensors_matrix_shape(&rows, &cols, file, safetensors_at(file, i)->name, &err), ATTCERT_INPUT);
    assert_non_null(strstr(err.message, "sides 1 to 2147483647"));
  }
  safetensors_close(file);
  free(bytes.bytes);
}

static void bad_numbers_matter_only_where_they_are_used(void **state) {
  (void)state;
  static const double numbers[] = {1, 2, 3, 4, 5, NAN, 7, -INFINITY};
  static const test_tensor tensors[] = {{"w", 4, 2, numbers}};
  const file_bytes bytes = safetensors_build(tensors, 1, NULL);
  safetensors *const file = open_bytes(bytes);
  double out[8];
  attcert_error err;
  assert_int_equal(safetensors_read_rows(out, file, "w", 0, 2, 2, &err), ATTCERT_OK);
  assert_message(safetensors_read_matrix(out, file, "w", 4, 2, &err), &err,
                 "t.safetensors: tensor 'w': entry [2, 1] is NaN, expected a finite number");
  assert_message(safetensors_read_rows(out, file, "w", 3, 1, 2, &err), &err,
                 "t.safetensors: tensor 'w': entry [3, 1] is infinite, expected a finite number");
  safetensors_close(file);
  free(bytes.bytes);
}

static void unsupported_dtypes_matter_only_where_they_are_used(void **state) {
  (void)state;
  static const unsigned char data[11] = {0};
  const file_bytes bytes = safetensors_raw("{\"mask\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]},"
                                           "\"new\":{\"dtype\":\"F3\",\"shape\":[8],\"data_offsets\":[8,11]}}",
                                           data, sizeof data);
  safetensors *const file = open_bytes(bytes);
  double out[8];
  attcert_error err;
  assert_message(safetensors_read_vector(out, file, "mask", 1, &err), &err,
                 "t.safetensors: tensor 'mask' has dtype I64, expected F64, F32, F16 or BF16");
  assert_message(safetensors_read_vector(out, file, "new", 8, &err), &err,
                 "t.safetensors: tensor 'new' has dtype F3, expected F64, F32, F16 or BF16");
  safetensors_close(file);
  free(bytes.bytes);
}

/* The trained models, where they are at hand: every tensor is read, finite, and of the expected number. */
static void real_models_are_read_whole(void **state) {
  (void)state;
  static const struct {
    const char *path;
    size_t tensors, numbers;
  } model[] = {{"models/bert-tiny-sst2/model.safetensors", 36, 413314},
               {"models/char-gpt/model.safetensors", 52, 809856},
               {"models/mini-gpt/model.safetensors", 52, 212928}};
  for (size_t i = 0; i < sizeof model / sizeof model[0]; i++) {
    char path[512];
    safetensors *file;
    assert_int_equal(safetensors_open(&file, test_data_path(path, model[i].path), NULL), ATTCERT_OK);
    assert_int_equal(safetensors_count(file), model[i].tensors);
    size_t numbers = 0;
    for (size_t t = 0; t < safetensors_count(file); t++) {
      const safetensors_tensor *const tensor = safetensors_at(file, t);
      double *const out = malloc(tensor->count * sizeof *out);
      assert_non_null(out);
      const attcert_status status =
          tensor->rank == 1
              ? safetensors_read_vector(out, file, tensor->name, (int)tensor->shape[0], NULL)
              : safetensors_read_matrix(out, file, tensor->name, (int)tensor->shape[0], (int)tensor->shape[1], NULL);
      assert_int_equal(status, ATTCERT_OK);
      numbers += tensor->count;
      free(out);
    }
    assert_int_equal(numbers, model[i].numbers);
    assert_string_equal(safetensors_metadata(file, "format"), "pt");
    safetensors_close(file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_come_back_exactly),
      cmocka_unit_test(every_dtype_is_read),
      cmocka_unit_test(tensors_are_listed_in_the_order_of_their_data),
      cmocka_unit_test(a_file_without_tensors_is_valid),
      cmocka_unit_test(what_is_asked_for_must_fit),
      cmocka_unit_test(matrix_sides_are_positive_and_fit_an_int),
      cmocka_unit_test(bad_numbers_matter_only_where_they_are_used),
      cmocka_unit_test(unsupported_dtypes_matter_only_where_they_are_used),
      cmocka_unit_test(real_models_are_read_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
