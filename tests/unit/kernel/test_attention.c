/* The forward pass against an independent evaluation in long double, and what symmetry and the mask say about it. */
#include "kernel/row/attended_keys.h"
#include "kernel_case.h"
#include "long_attention.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double tolerance = 1e-13; /* some hundred roundings of numbers of size 10 */

static long double *long_copy(const double *a, size_t count) {
  long double *b = malloc(count * sizeof *b);
  assert_non_null(b);
  for (size_t i = 0; i < count; i++) b[i] = a[i];
  return b;
}

static void test_forward(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index++) {
    kernel_case c;
    kernel_case_init(&c, index);
    const size_t outputs = (size_t)c.n * (size_t)c.out_dim;
    double *out = kernel_case_forward(&c);
    long double *x = long_copy(c.input.x.data, (size_t)c.n * (size_t)c.dim), *expected = long_copy(out, outputs);
    long_attention(expected, &c.input.layer, x, c.n);
    for (size_t e = 0; e < outputs; e++) assert_true(fabsl(out[e] - expected[e]) <= tolerance * (10 + fabs(out[e])));
    free(expected);
    free(x);
    free(out);
    kernel_case_clear(&c);
  }
}

/* Every head's P: rows that are probabilities on N(i) and exactly 0 outside it. */
static void test_weights(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index++) {
    kernel_case c;
    kernel_case_init(&c, index);
    long double *x = long_copy(c.input.x.data, (size_t)c.n * (size_t)c.dim);
    for (int h = 0; h < c.input.layer.heads; h++) {
      const attention_head head = attention_state_head(&c.state, h);
      for (int i = 0; i < c.n; i++) {
        for (int j = 0; j < c.n; j++) {
          const double p = head.weights[i * c.n + j];
          assert_true(fabsl(p - long_attention_weight(&c.input.layer, x, c.n, h, i, j)) <= tolerance);
          if (j >= attended_keys(head.mask, i, head.n)) assert_true(p == 0);
        }
      }
    }
    free(x);
    kernel_case_clear(&c);
  }
}

/* Without a mask, permuting the tokens permutes the outputs. */
static void test_permutation(void **state) {
  (void)state;
  const layer_shape shape = {.n = 5, .dim = 6, .heads = 2, .head_dim = 3, .out_dim = 4, .biases = true};
  for (int index = 0; index < 20; index++) {
    kernel_case c;
    kernel_case_init_shape(&c, &shape, index);
    double *out = kernel_case_forward(&c), moved_x[5 * 6];
    memcpy(moved_x, c.input.x.data, sizeof moved_x);
    for (int i = 0; i < 5; i++) memcpy(c.input.x.data + 6 * i, moved_x + 6 * ((2 * i + index) % 5), 6 * sizeof(double));
    double *moved = kernel_case_forward(&c);
    for (int i = 0; i < 5; i++)
      for (int r = 0; r < 4; r++)
        assert_true(fabs(moved[4 * i + r] - out[4 * ((2 * i + index) % 5) + r]) <= 100 * tolerance);
    free(moved);
    free(out);
    kernel_case_clear(&c);
  }
}

/* Under the causal mask the first outputs do not depend on later tokens, to the bit. */
static void test_causal_prefix(void **state) {
  (void)state;
  const layer_shape shape = {
      .n = 6, .dim = 5, .heads = 3, .head_dim = 2, .out_dim = 5, .biases = true, .mask = ATTCERT_MASK_CAUSAL};
  kernel_case c;
  kernel_case_init_shape(&c, &shape, 7);
  double *all = kernel_case_forward(&c);
  for (int n = 1; n < 6; n++) {
    c.n = n;
    double *first = kernel_case_forward(&c);
    assert_memory_equal(first, all, (size_t)n * 5 * sizeof(double));
    free(first);
  }
  free(all);
  kernel_case_clear(&c);
}

/* One token attends to itself alone: f(x) = W_O (V x + b_V) + b_O, whatever the scores. */
static void test_one_token(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 4, .heads = 1, .head_dim = 3, .biases = true};
  kernel_case c;
  kernel_case_init_shape(&c, &shape, 3);
  double *out = kernel_case_forward(&c);
  for (int r = 0; r < 3; r++) {
    double value = 0;
    for (int t = 0; t < 4; t++) value += c.input.layer.value_weight[4 * r + t] * c.input.x.data[t];
    assert_true(out[r] == value + c.input.layer.value_bias[r]);
  }
  free(out);
  kernel_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forward),       cmocka_unit_test(test_weights),   cmocka_unit_test(test_permutation),
      cmocka_unit_test(test_causal_prefix), cmocka_unit_test(test_one_token),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
