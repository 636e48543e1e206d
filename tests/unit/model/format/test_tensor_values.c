/* Tensors that are made anew instead of being read: counts, zeros, masks, numbers far below, in every dtype that stores
 * them; one entry off, or another dtype or shape, is something else. */
#include "model/format/tensor_values.h"
#include "safetensors_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 5 };

/* A file with one tensor "t"; the bytes have to outlive it. */
typedef struct {
  file_bytes bytes;
  safetensors *file;
} one_tensor;

static const safetensors_tensor *open_tensor(one_tensor *t, const char *dtype, const char *shape, const void *data,
                                             size_t size) {
  char header[256];
  attcert_error err;
  snprintf(header, sizeof header, "{\"t\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[0,%zu]}}", dtype, shape,
           size);
  t->bytes = safetensors_raw(header, data, size);
  if (safetensors_from_bytes(&t->file, t->bytes.bytes, t->bytes.size, "t", &err) != ATTCERT_OK)
    fail_msg("%s", err.message);
  return safetensors_find(t->file, "t");
}

static void close_tensor(one_tensor *t) {
  safetensors_close(t->file);
  free(t->bytes.bytes);
}

static bool counts(const char *dtype, const void *data, size_t size, uint64_t step) {
  one_tensor t;
  const bool right = tensor_values_count(open_tensor(&t, dtype, "[1,4]", data, size), step);
  close_tensor(&t);
  return right;
}

static void counted_integers(void **state) {
  (void)state;
  static const int64_t wide[] = {0, 1, 2, 3}, off[] = {0, 1, 2, 4}, high[] = {0, 1, 2, INT64_C(3) + (INT64_C(1) << 32)},
                       zero[4] = {0}, negative[] = {0, 1, 2, -3};
  static const int32_t narrow[] = {0, 1, 2, 3}, narrow_off[] = {1, 1, 2, 3};
  static const float numbers[] = {0, 1, 2, 3};
  assert_true(counts("I64", wide, sizeof wide, 1));
  assert_true(counts("I32", narrow, sizeof narrow, 1));
  assert_true(counts("I64", zero, sizeof zero, 0));
  assert_false(counts("I64", off, sizeof off, 1));
  assert_false(counts("I64", high, sizeof high, 1));
  assert_false(counts("I64", negative, sizeof negative, 1));
  assert_false(counts("I64", zero, sizeof zero, 1));
  assert_false(counts("I64", wide, sizeof wide, 0));
  assert_false(counts("I32", narrow_off, sizeof narrow_off, 1));
  assert_false(counts("F32", numbers, sizeof numbers, 1));
}

static bool is_mask(const char *dtype, const char *shape, const void *data, size_t size, uint64_t window) {
  one_tensor t;
  bool right;
  assert_int_equal(tensor_values_mask(&right, open_tensor(&t, dtype, shape, data, size), window, NULL), ATTCERT_OK);
  close_tensor(&t);
  return right;
}

/* Row i may see column j. */
static bool sees(int i, int j, int window) {
  return j <= i && j > i - window;
}

static void masks(void **state) {
  (void)state;
  unsigned char bytes[SIDE * SIDE];
  float numbers[SIDE * SIDE];
  for (int window = 1; window <= SIDE; window++) {
    for (int i = 0; i < SIDE; i++) {
      for (int j = 0; j < SIDE; j++) numbers[i * SIDE + j] = bytes[i * SIDE + j] = sees(i, j, window);
    }
    for (uint64_t asked = 1; asked <= SIDE; asked++) {
      const bool same = asked == (uint64_t)window;
      assert_int_equal(is_mask("U8", "[1,1,5,5]", bytes, sizeof bytes, asked), same);
      assert_int_equal(is_mask("BOOL", "[5,5]", bytes, sizeof bytes, asked), same);
      assert_int_equal(is_mask("F32", "[1,1,5,5]", numbers, sizeof numbers, asked), same);
    }
    assert_int_equal(is_mask("U8", "[5,5]", bytes, sizeof bytes, UINT64_MAX), window == SIDE);
  }
  assert_false(is_mask("I8", "[5,5]", bytes, sizeof bytes, UINT64_MAX));
  assert_false(is_mask("U8", "[25]", bytes, sizeof bytes, UINT64_MAX));
  assert_false(is_mask("U8", "[5,1,5]", bytes, sizeof bytes, UINT64_MAX));
  assert_false(is_mask("U8", "[0,0]", bytes, 0, UINT64_MAX));
  for (int i = 0; i < SIDE * SIDE; i++) { /* one entry off */
    const unsigned char byte = bytes[i];
    const float number = numbers[i];
    bytes[i] = byte == 0 ? 1 : 2;
    numbers[i] = number == 0 ? 1e-30f : 0.5f;
    assert_false(is_mask("U8", "[5,5]", bytes, sizeof bytes, UINT64_MAX));
    assert_false(is_mask("F32", "[5,5]", numbers, sizeof numbers, UINT64_MAX));
    bytes[i] = byte;
    numbers[i] = number;
  }
}

static bool is_at_most(const char *dtype, const char *shape, const void *data, size_t size) {
  one_tensor t;
  const bool right = tensor_values_at_most(open_tensor(&t, dtype, shape, data, size), -9000.0);
  close_tensor(&t);
  return right;
}

static void numbers_far_below(void **state) {
  (void)state;
  static const float low[] = {-1e4f}, high[] = {-1.0f}, two[] = {-1e4f, -1e4f}, infinite[] = {-1.0f / 0.0f};
  static const uint16_t bf16[] = {0xc61c}; /* -9984 */
  static const int32_t integer[] = {-10000};
  assert_true(is_at_most("F32", "[]", low, sizeof low));
  assert_true(is_at_most("F32", "[1]", low, sizeof low));
  assert_true(is_at_most("BF16", "[]", bf16, sizeof bf16));
  assert_false(is_at_most("F32", "[]", high, sizeof high));
  assert_false(is_at_most("F32", "[2]", two, sizeof two));
  assert_false(is_at_most("F32", "[]", infinite, sizeof infinite));
  assert_false(is_at_most("I32", "[]", integer, sizeof integer));
}

static bool are_equal(const char *dtype, const char *shape, const void *a, const void *b) {
  one_tensor t, u;
  const safetensors_tensor *const first = open_tensor(&t, "F32", "[2,3]", a, 24), *const second = open_tensor(
                                                                                      &u, dtype, shape, b, 24);
  const bool equal = tensor_values_equal(first, second);
  close_tensor(&t);
  close_tensor(&u);
  return equal;
}

static void equal_tensors(void **state) {
  (void)state;
  static const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 2, 3, 4, 5, 7};
  assert_true(are_equal("F32", "[2,3]", a, a));
  assert_false(are_equal("F32", "[2,3]", a, b));
  assert_false(are_equal("F32", "[3,2]", a, a));
  assert_false(are_equal("F32", "[6]", a, a));
  assert_false(are_equal("I32", "[2,3]", a, a));
  assert_false(are_equal("F64", "[3]", a, a));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_integers),
      cmocka_unit_test(masks),
      cmocka_unit_test(numbers_far_below),
      cmocka_unit_test(equal_tensors),
  };
  return cmocka_run_group_tests_name("tensor_values", tests, NULL, NULL);
}
