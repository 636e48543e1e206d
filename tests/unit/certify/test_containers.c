/* The containers of the public API: errors, matrices, layers, and what attcert_layer_check says of each thing that is
 * wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random_layer.h"

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static void test_error_message(void **state) {
  (void)state;
  attcert_error err = {0};
  assert_int_equal(attcert_fail(&err, ATTCERT_RESOURCE, "%s needs %d", "it", 7), ATTCERT_RESOURCE);
  assert_int_equal(err.status, ATTCERT_RESOURCE);
  assert_string_equal(err.message, "it needs 7");
  assert_int_equal(attcert_fail(NULL, ATTCERT_INPUT, "nobody listens"), ATTCERT_INPUT);
}

/* One printable line, whatever a file's name has in it; cut where it is too long. */
static void test_error_message_is_one_line(void **state) {
  (void)state;
  attcert_error err;
  attcert_fail(&err, ATTCERT_INPUT, "%s", "a\nb\033[31mc\177d\te\xc3\xa9");
  assert_string_equal(err.message, "a?b?[31mc?d?e\xc3\xa9");
  attcert_fail(&err, ATTCERT_INPUT, "%3000d", 1);
  assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

static void test_matrix(void **state) {
  (void)state;
  attcert_matrix m;
  assert_int_equal(attcert_matrix_init(&m, 3, 2, NULL), ATTCERT_OK);
  assert_int_equal(m.rows, 3);
  assert_int_equal(m.cols, 2);
  for (int i = 0; i < 6; i++) assert_true(m.data[i] == 0);
  attcert_matrix_clear(&m);
  assert_null(m.data);
  attcert_matrix_clear(&m); /* twice is harmless */
}

static void test_bad_matrix(void **state) {
  (void)state;
  static const int sides[][2] = {{0, 1}, {1, 0}, {-1, 5}, {5, -1}};
  attcert_matrix m;
  attcert_error err = {0};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(attcert_matrix_init(&m, sides[i][0], sides[i][1], &err), ATTCERT_INPUT);
    assert_null(m.data);
  }
  assert_int_equal(attcert_matrix_init(&m, INT32_MAX, INT32_MAX, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "2147483647 x 2147483647"));
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static void assert_zeros(const double *a, int count) {
  assert_non_null(a);
  for (int i = 0; i < count; i++) assert_true(a[i] == 0);
}

static void test_layer(void **state) {
  (void)state;
  attcert_layer layer;
  assert_int_equal(attcert_layer_init(&layer, 3, 2, 4, 5, true, NULL), ATTCERT_OK);
  const double *const weights[] = {layer.query_weight, layer.key_weight, layer.value_weight};
  const double *const biases[] = {layer.query_bias, layer.key_bias, layer.value_bias};
  for (int i = 0; i < 3; i++) {
    assert_zeros(weights[i], 8 * 3);
    assert_zeros(biases[i], 8);
  }
  assert_zeros(layer.output_weight, 5 * 8);
  assert_zeros(layer.output_bias, 5);
  assert_int_equal(layer.out_dim, 5);
  assert_int_equal(layer.mask, ATTCERT_MASK_NONE);
  attcert_layer_clear(&layer);
  assert_null(layer.query_weight);
  attcert_layer_clear(&layer);
}

static void test_layer_without_output_and_biases(void **state) {
  (void)state;
  attcert_layer layer;
  assert_int_equal(attcert_layer_init(&layer, 3, 2, 4, 0, false, NULL), ATTCERT_OK);
  assert_int_equal(layer.out_dim, 8);
  assert_null(layer.output_weight);
  assert_null(layer.output_bias);
  assert_null(layer.query_bias);
  attcert_layer_clear(&layer);
}

static void test_bad_layer(void **state) {
  (void)state;
  static const int sides[][4] = {{0, 1, 1, 0}, {1, 0, 1, 0}, {1, 1, 0, 0}, {1, 1, 1, -1}, {1, 1 << 16, 1 << 15, 0}};
  for (int i = 0; i < 5; i++) {
    attcert_layer layer;
    attcert_error err = {0};
    assert_int_equal(attcert_layer_init(&layer, sides[i][0], sides[i][1], sides[i][2], sides[i][3], true, &err),
                     ATTCERT_INPUT);
    assert_null(layer.query_weight);
    assert_true(strlen(err.message) > 0);
  }
  attcert_layer huge;
  assert_int_equal(attcert_layer_init(&huge, INT32_MAX, 1, INT32_MAX, 0, false, NULL), ATTCERT_RESOURCE);
  assert_null(huge.query_weight);
}

/* Head h: rows h k to h k + k - 1 of every weight, the mask, and zero for a bias that is not there. */
static void test_head(void **state) {
  (void)state;
  for (int biases = 0; biases < 2; biases++) {
    const layer_shape shape = {
        .n = 1, .dim = 3, .heads = 3, .head_dim = 2, .out_dim = 4, .biases = biases, .mask = ATTCERT_MASK_CAUSAL};
    random_source r = random_source_make(27, 0, 0);
    layer_case c;
    attcert_layer head;
    layer_case_init_gaussian(&c, &shape, &r);
    assert_int_equal(attcert_layer_head(&head, &c.layer, 2, NULL), ATTCERT_OK);
    assert_int_equal(head.heads, 1);
    assert_int_equal(head.out_dim, 2);
    assert_int_equal(head.mask, ATTCERT_MASK_CAUSAL);
    assert_null(head.output_weight);
    assert_memory_equal(head.query_weight, c.layer.query_weight + 12, 6 * sizeof(double));
    assert_memory_equal(head.key_weight, c.layer.key_weight + 12, 6 * sizeof(double));
    assert_memory_equal(head.value_weight, c.layer.value_weight + 12, 6 * sizeof(double));
    if (biases)
      assert_memory_equal(head.key_bias, c.layer.key_bias + 4, 2 * sizeof(double));
    else
      assert_zeros(head.key_bias, 2);
    attcert_layer_clear(&head);
    layer_case_clear(&c);
  }
}

static void test_bad_head(void **state) {
  (void)state;
  attcert_layer layer, head;
  attcert_error err = {0};
  assert_int_equal(attcert_layer_init(&layer, 1, 3, 1, 0, false, NULL), ATTCERT_OK);
  assert_int_equal(attcert_layer_head(&head, &layer, 3, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "0 to 2"));
  assert_int_equal(attcert_layer_head(&head, &layer, -1, &err), ATTCERT_INPUT);
  assert_null(head.query_weight);
  attcert_layer_clear(&layer);
}

/* ---- attcert_layer_check ----------------------------------------------------------------------------------------- */

static void assert_fault(const layer_case *c, const char *words) {
  attcert_error err = {0};
  assert_int_equal(attcert_layer_check(&c->layer, &c->x, &err), ATTCERT_INPUT);
  if (strstr(err.message, words) == NULL) fail_msg("'%s' does not speak of '%s'", err.message, words);
}

static void valid_case(layer_case *c) {
  const layer_shape shape = {.n = 2, .dim = 3, .heads = 2, .head_dim = 2, .out_dim = 5, .biases = true};
  random_source r = random_source_make(28, 0, 0);
  layer_case_init_gaussian(c, &shape, &r);
  assert_int_equal(attcert_layer_check(&c->layer, &c->x, NULL), ATTCERT_OK);
}

/* Every array, first and last entry, NaN and infinity; the message names both. */
static void test_check_finite(void **state) {
  (void)state;
  layer_case c;
  valid_case(&c);
  const struct {
    double *data;
    int rows, cols;
    const char *name;
  } arrays[] = {{c.x.data, 2, 3, "input"},
                {c.layer.query_weight, 4, 3, "query.weight"},
                {c.layer.key_weight, 4, 3, "key.weight"},
                {c.layer.value_weight, 4, 3, "value.weight"},
                {c.layer.query_bias, 4, 1, "query.bias"},
                {c.layer.key_bias, 4, 1, "key.bias"},
                {c.layer.value_bias, 4, 1, "value.bias"},
                {c.layer.output_weight, 5, 4, "output.weight"},
                {c.layer.output_bias, 5, 1, "output.bias"}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    const int last = arrays[i].rows * arrays[i].cols - 1;
    char place[64];
    double kept = arrays[i].data[last];
    arrays[i].data[last] = NAN;
    snprintf(place, sizeof place, "%s: entry [%d, %d]", arrays[i].name, arrays[i].rows - 1, arrays[i].cols - 1);
    assert_fault(&c, place);
    arrays[i].data[last] = kept;
    kept = arrays[i].data[0];
    arrays[i].data[0] = -INFINITY;
    snprintf(place, sizeof place, "%s: entry [0, 0] is -inf", arrays[i].name);
    assert_fault(&c, place);
    arrays[i].data[0] = kept;
  }
  layer_case_clear(&c);
}

static void test_check_shapes(void **state) {
  (void)state;
  layer_case c, broken;
  valid_case(&c);
  broken = c, broken.layer.dim = 0;
  assert_fault(&broken, "must be positive");
  broken = c, broken.layer.heads = -1;
  assert_fault(&broken, "must be positive");
  broken = c, broken.layer.out_dim = 0;
  assert_fault(&broken, "must be positive");
  broken = c, broken.layer.heads = 1 << 20, broken.layer.head_dim = 1 << 20;
  assert_fault(&broken, "heads x head_dim is 1099511627776, expected at most 32768");
  broken = c, broken.layer.dim = 32769;
  assert_fault(&broken, "dim is 32769");
  broken = c, broken.layer.out_dim = 32769;
  assert_fault(&broken, "out_dim is 32769");
  broken = c, broken.x.rows = 32769;
  assert_fault(&broken, "number of tokens is 32769");
  broken = c, broken.layer.key_weight = NULL;
  assert_fault(&broken, "key.weight");
  broken = c, broken.layer.output_weight = NULL; /* out_dim stays 5, heads x head_dim is 4 */
  assert_fault(&broken, "dimension 4");
  broken = c, broken.x.rows = 0;
  assert_fault(&broken, "0 tokens");
  broken = c, broken.x.cols = 2;
  assert_fault(&broken, "dimension 2");
  layer_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error_message), cmocka_unit_test(test_error_message_is_one_line),
      cmocka_unit_test(test_matrix),        cmocka_unit_test(test_bad_matrix),
      cmocka_unit_test(test_layer),         cmocka_unit_test(test_layer_without_output_and_biases),
      cmocka_unit_test(test_bad_layer),     cmocka_unit_test(test_head),
      cmocka_unit_test(test_bad_head),      cmocka_unit_test(test_check_finite),
      cmocka_unit_test(test_check_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
