/* The builder of a list of steps: what it fills in, that it does nothing after an error, and that steps which run as
 * they are added have the values of those that run afterwards. */
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TOKENS = 3, DIM = 2, WIDE = 4, MANY = 100 };

/* Memory that goes over to the network, so that a sanitizer sees whether it is freed once. */
static double *numbers(int count) {
  double *const array = calloc((size_t)count, sizeof *array);
  assert_non_null(array);
  for (int k = 0; k < count; k++) array[k] = 0.25 * k - 0.5;
  return array;
}

/* tanh(W x + b), its sum with itself many times, and of that the token 1. */
static int build(network_builder *b) {
  double *const weight = numbers(WIDE * DIM), *const bias = numbers(WIDE);
  int x = step_affine_add(b, 0, &(affine_weights){weight, bias}, WIDE);
  network_own(b, weight);
  network_own(b, bias);
  x = step_activation_add(b, x, &curve_tanh);
  for (int k = 0; k < MANY; k++) x = step_sum_add(b, x, x);
  x = step_select_add(b, x, 1);
  return step_select_add(b, x, 1); /* has one row already */
}

static void input(attcert_matrix *x) {
  assert_int_equal(attcert_matrix_init(x, TOKENS, DIM, NULL), ATTCERT_OK);
  for (int k = 0; k < TOKENS * DIM; k++) x->data[k] = 0.125 * k;
}

static void steps_run_as_they_are_added(void **state) {
  (void)state;
  network_steps later = {.tokens = TOKENS, .dim = DIM}, now;
  network_builder b = {.network = &later, .layer = 7};
  attcert_matrix value[MANY + 4] = {{0}}, x;
  assert_int_equal(build(&b), MANY + 3);
  assert_int_equal(later.count, MANY + 3);
  assert_int_equal(later.step[2].layer, 7);
  assert_int_equal(network_rows(&later, 2), TOKENS);
  assert_int_equal(network_cols(&later, 2), WIDE);
  input(&value[0]);
  for (int s = 0; s < later.count; s++) assert_int_equal(network_value(value, &later, s, NULL), ATTCERT_OK);
  input(&x);
  network_builder running = network_run(&now, &x, NULL);
  const int y = build(&running);
  assert_int_equal(network_run_end(&x, &running, y), ATTCERT_OK);
  const attcert_matrix *const expected = &value[later.count];
  assert_int_equal(x.rows, 1);
  assert_int_equal(x.cols, WIDE);
  assert_memory_equal(x.data, expected->data, WIDE * sizeof(double));
  attcert_matrix_clear(&x);
  for (int v = 0; v <= later.count; v++) attcert_matrix_clear(&value[v]);
  network_clear(&later);
}

/* As after a tensor that is missing. */
static void nothing_follows_an_error(void **state) {
  (void)state;
  network_steps network;
  attcert_matrix x;
  input(&x);
  network_builder b = network_run(&network, &x, NULL);
  assert_int_equal(step_sum_add(&b, 0, 0), 1);
  b.status = ATTCERT_INPUT;
  assert_int_equal(build(&b), 0);
  assert_int_equal(network.count, 1);
  assert_null(network_new(&b, 1, 1));
  assert_int_equal(network_run_end(&x, &b, 1), ATTCERT_INPUT);
  assert_int_equal(x.cols, DIM);
  assert_true(x.data[1] == 0.125);
  attcert_matrix_clear(&x);
  network_steps list = {.tokens = TOKENS, .dim = DIM};
  network_builder failed = {.network = &list, .status = ATTCERT_RESOURCE};
  assert_int_equal(build(&failed), 0);
  assert_int_equal(list.count, 0);
  network_clear(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_run_as_they_are_added),
                                     cmocka_unit_test(nothing_follows_an_error)};
  return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}
