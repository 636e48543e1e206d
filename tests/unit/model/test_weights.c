/* The generic weights file: what is stored is what the layer holds, and every file that does not fit together is
 * refused. */
#include "model/weights.h"

#include "safetensors_writer.h"
#include "temp_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* 0.5, 1.5, 2.5, ...: a tensor that begins at another place holds other numbers. */
static const double ramp[] = {0.5,  1.5,  2.5,  3.5,  4.5,  5.5,  6.5,  7.5,  8.5,  9.5,  10.5, 11.5, 12.5, 13.5, 14.5,
                              15.5, 16.5, 17.5, 18.5, 19.5, 20.5, 21.5, 22.5, 23.5, 24.5, 25.5, 26.5, 27.5, 28.5, 29.5};

/* Of one head where there is no metadata. */
static attcert_status read_weights(attcert_layer *layer, const test_tensor *tensors, size_t count, const char *metadata,
                                   attcert_error *err) {
  temp_folder folder;
  temp_folder_init(&folder);
  const file_bytes file = safetensors_build(tensors, count, metadata);
  temp_folder_write(&folder, "w.safetensors", file.bytes, file.size);
  free(file.bytes);
  char path[512];
  const attcert_status status =
      weights_read(layer, NULL, temp_folder_path(path, &folder, "w.safetensors"), metadata == NULL ? 1 : 0, err);
  temp_folder_clear(&folder);
  return status;
}

/* Two heads of dimension 2 on tokens in R^3, with everything optional. */
static void a_full_layer(void **state) {
  (void)state;
  static const test_tensor tensors[] = {{"query.weight", 4, 3, ramp},      {"key.weight", 4, 3, ramp + 1},
                                        {"value.weight", 4, 3, ramp + 2},  {"query.bias", 4, 0, ramp + 3},
                                        {"key.bias", 4, 0, ramp + 4},      {"value.bias", 4, 0, ramp + 5},
                                        {"output.weight", 5, 4, ramp + 6}, {"output.bias", 5, 0, ramp + 7}};
  attcert_layer layer;
  attcert_error err;
  if (read_weights(&layer, tensors, 8, "{\"num_heads\":\"2\"}", &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_int_equal(layer.dim, 3);
  assert_int_equal(layer.heads, 2);
  assert_int_equal(layer.head_dim, 2);
  assert_int_equal(layer.out_dim, 5);
  assert_int_equal(layer.mask, ATTCERT_MASK_NONE);
  assert_memory_equal(layer.query_weight, ramp, 12 * sizeof(double));
  assert_memory_equal(layer.key_weight, ramp + 1, 12 * sizeof(double));
  assert_memory_equal(layer.value_weight, ramp + 2, 12 * sizeof(double));
  assert_memory_equal(layer.query_bias, ramp + 3, 4 * sizeof(double));
  assert_memory_equal(layer.key_bias, ramp + 4, 4 * sizeof(double));
  assert_memory_equal(layer.value_bias, ramp + 5, 4 * sizeof(double));
  assert_memory_equal(layer.output_weight, ramp + 6, 20 * sizeof(double));
  assert_memory_equal(layer.output_bias, ramp + 7, 5 * sizeof(double));
  attcert_layer_clear(&layer);
}

static const test_tensor query = {"query.weight", 4, 3, ramp}, key = {"key.weight", 4, 3, ramp},
                         value = {"value.weight", 4, 3, ramp};

static void a_layer_without_options(void **state) {
  (void)state;
  const test_tensor tensors[] = {query, key, value};
  attcert_layer layer;
  assert_int_equal(read_weights(&layer, tensors, 3, NULL, NULL), ATTCERT_OK);
  assert_int_equal(layer.heads, 1);
  assert_int_equal(layer.head_dim, 4);
  assert_int_equal(layer.out_dim, 4);
  assert_null(layer.query_bias);
  assert_null(layer.output_weight);
  assert_null(layer.output_bias);
  attcert_layer_clear(&layer);
}

static void an_absent_bias_beside_a_present_one_is_zero(void **state) {
  (void)state;
  static const double zeros[4];
  const test_tensor tensors[] = {query, key, value, {"key.bias", 4, 0, ramp + 9}};
  attcert_layer layer;
  assert_int_equal(read_weights(&layer, tensors, 4, "{\"num_heads\":\"4\"}", NULL), ATTCERT_OK);
  assert_int_equal(layer.head_dim, 1);
  assert_memory_equal(layer.key_bias, ramp + 9, sizeof zeros);
  assert_true(layer.query_bias == NULL || memcmp(layer.query_bias, zeros, sizeof zeros) == 0);
  assert_true(layer.value_bias == NULL || memcmp(layer.value_bias, zeros, sizeof zeros) == 0);
  attcert_layer_clear(&layer);
}

static void assert_refused(const test_tensor *tensors, size_t count, const char *metadata, const char *reason) {
  attcert_layer layer;
  attcert_error err;
  assert_int_equal(read_weights(&layer, tensors, count, metadata, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "w.safetensors: "));
  if (strstr(err.message, reason) == NULL) fail_msg("expected \"%s\" in: %s", reason, err.message);
  assert_null(layer.query_weight);
}

static void each_weight_is_needed(void **state) {
  (void)state;
  assert_refused((const test_tensor[]){key, value}, 2, NULL, "tensor 'query.weight' is missing");
  assert_refused((const test_tensor[]){query, value}, 2, NULL, "tensor 'key.weight' is missing");
  assert_refused((const test_tensor[]){query, key}, 2, NULL, "tensor 'value.weight' is missing");
  assert_refused((const test_tensor[]){query, key, value, {"output.bias", 4, 0, ramp}}, 4, NULL,
                 "tensor 'output.bias' needs 'output.weight', which is missing");
}

static void shapes_must_fit_each_other(void **state) {
  (void)state;
  static const struct {
    test_tensor bad; /* takes the place of the tensor of its name, or comes besides */
    const char *reason;
  } row[] = {
      {{"query.weight", 12, 0, ramp}, "tensor 'query.weight' has shape [12], expected a matrix"},
      {{"key.weight", 4, 2, ramp}, "tensor 'key.weight' has shape [4, 2], expected [4, 3]"},
      {{"key.weight", 3, 4, ramp}, "tensor 'key.weight' has shape [3, 4], expected [4, 3]"},
      {{"value.weight", 5, 3, ramp}, "tensor 'value.weight' has shape [5, 3], expected [4, 3]"},
      {{"query.bias", 3, 0, ramp}, "tensor 'query.bias' has shape [3], expected [4]"},
      {{"key.bias", 4, 1, ramp}, "tensor 'key.bias' has shape [4, 1], expected [4]"},
      {{"value.bias", 5, 0, ramp}, "tensor 'value.bias' has shape [5], expected [4]"},
      {{"output.weight", 4, 5, ramp}, "tensor 'output.weight' has shape [4, 5], expected [4, 4]"},
      {{"output.weight", 4, 0, ramp}, "tensor 'output.weight' has shape [4], expected a matrix"},
  };
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    test_tensor tensors[4] = {query, key, value};
    size_t place = 0;
    while (place < 3 && strcmp(tensors[place].name, row[i].bad.name) != 0) place++;
    tensors[place] = row[i].bad;
    assert_refused(tensors, place < 3 ? 3 : 4, NULL, row[i].reason);
  }
}

static void the_output_bias_fits_the_output_weight(void **state) {
  (void)state;
  const test_tensor tensors[] = {query, key, value, {"output.weight", 5, 4, ramp}, {"output.bias", 4, 0, ramp}};
  assert_refused(tensors, 5, NULL, "tensor 'output.bias' has shape [4], expected [5]");
}

static void num_heads_is_a_positive_divisor(void **state) {
  (void)state;
  const test_tensor tensors[] = {query, key, value};
  static const char *const bad[] = {"",   "0",   "-1",  "+2",  " 2",          "2 ",
                                    "02", "2.0", "two", "0x2", "99999999999", "4294967298"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char metadata[64], reason[96];
    snprintf(metadata, sizeof metadata, "{\"num_heads\":\"%s\"}", bad[i]);
    snprintf(reason, sizeof reason, "metadata num_heads is '%s', expected a positive integer", bad[i]);
    assert_refused(tensors, 3, metadata, reason);
  }
  assert_refused(tensors, 3, "{\"num_heads\":\"3\"}",
                 "num_heads 3 does not divide the 4 rows of tensor 'query.weight'");
  assert_refused(tensors, 3, "{\"num_heads\":\"8\"}",
                 "num_heads 8 does not divide the 4 rows of tensor 'query.weight'");
  assert_refused(tensors, 3, "{\"num_heads\":4}", "'num_heads' is not a string");
}

/* A misspelt bias must not silently certify another layer. */
static void misspelt_names_are_refused(void **state) {
  (void)state;
  assert_refused((const test_tensor[]){query, key, value, {"query.biases", 4, 0, ramp}}, 4, NULL,
                 "tensor 'query.biases' is not of the layout, expected 'query.', 'key.', 'value.' or 'output.'");
  assert_refused((const test_tensor[]){query, key, value, {"output.w", 4, 0, ramp}}, 4, NULL, "tensor 'output.w'");
  assert_refused((const test_tensor[]){query, key, value, {"unrelated", 2, 2, ramp}}, 4, NULL, "tensor 'unrelated'");
  assert_refused((const test_tensor[]){query, key, value}, 3, "{\"num_heads\":\"1\",\"n_heads\":\"2\"}",
                 "metadata 'n_heads' is not of the layout, expected 'num_heads' or 'format'");
  assert_refused((const test_tensor[]){query, key, value}, 3, "{\"format\":\"pt\"}", "no metadata num_heads");
}

static void numbers_must_be_finite(void **state) {
  (void)state;
  static const double infinite[] = {1, 2, INFINITY, 4};
  assert_refused((const test_tensor[]){query, key, value, {"value.bias", 4, 0, infinite}}, 4, NULL,
                 "tensor 'value.bias': entry [2] is infinite, expected a finite number");
}

static void missing_file_is_named(void **state) {
  (void)state;
  attcert_layer layer;
  attcert_error err;
  assert_int_equal(weights_read(&layer, NULL, "/nonexistent/w.safetensors", 0, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "/nonexistent/w.safetensors: cannot read"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_full_layer),
      cmocka_unit_test(a_layer_without_options),
      cmocka_unit_test(an_absent_bias_beside_a_present_one_is_zero),
      cmocka_unit_test(each_weight_is_needed),
      cmocka_unit_test(shapes_must_fit_each_other),
      cmocka_unit_test(the_output_bias_fits_the_output_weight),
      cmocka_unit_test(num_heads_is_a_positive_divisor),
      cmocka_unit_test(misspelt_names_are_refused),
      cmocka_unit_test(numbers_must_be_finite),
      cmocka_unit_test(missing_file_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
