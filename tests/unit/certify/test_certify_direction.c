/* attcert_direction: the explicit Jacobian of the kernel times u, exact values where there are any, and bad input.
 * (Random layers against Arb: tests/oracle.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attcert.h"
#include "kernel_case.h"

typedef struct {
  mpfr_t lo, hi;
} ratio;

static void ratio_init(ratio *q) {
  mpfr_inits2(53, q->lo, q->hi, (mpfr_ptr)NULL);
}

static void ratio_clear(ratio *q) {
  mpfr_clears(q->lo, q->hi, (mpfr_ptr)NULL);
}

static attcert_status evaluate(ratio *q, const layer_case *c, const attcert_matrix *u, attcert_error *err) {
  attcert_options options;
  attcert_options_default(&options);
  return attcert_direction(q->lo, q->hi, &c->layer, &c->x, u, &options, err);
}

static double length(const double *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static void assert_close(const ratio *q, double expected, double tolerance) {
  assert_true(mpfr_cmp_d(q->lo, expected * (1 + tolerance)) <= 0 && mpfr_cmp_d(q->hi, expected * (1 - tolerance)) >= 0);
  assert_true(mpfr_cmp_d(q->hi, expected * (1 + 2 * tolerance)) <= 0);
  assert_true(mpfr_cmp_d(q->lo, expected * (1 - 2 * tolerance)) >= 0);
}

/* Every kind of shape: masks, biases, W_O, heads. */
static void test_kernel_jacobian(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index++) {
    kernel_case c;
    attcert_matrix u;
    ratio q;
    kernel_case_init(&c, index);
    ratio_init(&q);
    assert_int_equal(attcert_matrix_init(&u, c.n, c.dim, NULL), ATTCERT_OK);
    random_source r = random_source_make(9, 0, (uint64_t)index);
    const size_t rows = (size_t)(c.n * c.out_dim), cols = (size_t)(c.n * c.dim);
    random_fill_gaussian(u.data, cols, 1, &r);
    double *const jacobian = kernel_case_jacobian(&c), *const image = calloc(rows, sizeof *image);
    assert_non_null(image);
    for (size_t i = 0; i < rows * cols; i++) image[i / cols] += jacobian[i] * u.data[i % cols];
    assert_int_equal(evaluate(&q, &c.input, &u, NULL), ATTCERT_OK);
    assert_close(&q, length(image, rows) / length(u.data, cols), 1e-11);
    free(jacobian);
    free(image);
    attcert_matrix_clear(&u);
    ratio_clear(&q);
    kernel_case_clear(&c);
  }
}

/* ---- exact values ------------------------------------------------------------------------------------------------ */

/* One token: J = V = [[3, 4], [-4, 3]], 5 times a rotation, along any u of any size. */
static void test_one_token(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 2, .heads = 1, .head_dim = 2};
  static const double v[] = {3, 4, -4, 3}, sizes[] = {1, 0x1p-1074, 0x1p1000, 0x1p-600};
  layer_case c;
  attcert_matrix u;
  ratio q;
  layer_case_init_zero(&c, &shape);
  ratio_init(&q);
  memcpy(c.layer.value_weight, v, sizeof v);
  c.layer.query_weight[0] = c.layer.key_weight[1] = c.x.data[0] = c.x.data[1] = 7;
  assert_int_equal(attcert_matrix_init(&u, 1, 2, NULL), ATTCERT_OK);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    u.data[0] = 3 * sizes[i];
    u.data[1] = -2 * sizes[i];
    assert_int_equal(evaluate(&q, &c, &u, NULL), ATTCERT_OK);
    assert_close(&q, 5, 0x1p-51);
    assert_true(mpfr_cmp_ui(q.lo, 5) <= 0 && mpfr_cmp_ui(q.hi, 5) >= 0);
  }
  memset(c.layer.value_weight, 0, sizeof v);
  assert_int_equal(evaluate(&q, &c, &u, NULL), ATTCERT_OK);
  assert_true(mpfr_zero_p(q.lo) && mpfr_zero_p(q.hi));
  attcert_matrix_clear(&u);
  ratio_clear(&q);
  layer_case_clear(&c);
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void assert_refused(const layer_case *c, const attcert_matrix *u, const attcert_options *options,
                           const char *words) {
  attcert_error err = {0};
  ratio q;
  ratio_init(&q);
  assert_int_equal(attcert_direction(q.lo, q.hi, &c->layer, &c->x, u, options, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, words));
  ratio_clear(&q);
}

static void test_bad_input(void **state) {
  (void)state;
  const layer_shape shape = {.n = 2, .dim = 3, .heads = 1, .head_dim = 2};
  random_source r = random_source_make(10, 0, 0);
  layer_case c;
  attcert_matrix u, wrong;
  attcert_options options;
  attcert_options_default(&options);
  layer_case_init_gaussian(&c, &shape, &r);
  assert_int_equal(attcert_matrix_init(&u, 2, 3, NULL), ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&wrong, 3, 2, NULL), ATTCERT_OK);
  assert_refused(&c, &u, &options, "zero");
  u.data[4] = 1;
  assert_refused(&c, &wrong, &options, "3 x 2");
  u.data[5] = NAN;
  assert_refused(&c, &u, &options, "entry 5");
  u.data[5] = -INFINITY;
  assert_refused(&c, &u, &options, "finite");
  u.data[5] = 0;
  options.precision = 52;
  assert_refused(&c, &u, &options, "precision");
  options.precision = 128;
  c.layer.key_weight[1] = NAN;
  assert_refused(&c, &u, &options, "key.weight");
  attcert_matrix_clear(&u);
  attcert_matrix_clear(&wrong);
  layer_case_clear(&c);
}

static void test_memory_limit(void **state) {
  (void)state;
  const layer_shape shape = {.n = 2, .dim = 3, .heads = 1, .head_dim = 2};
  random_source r = random_source_make(11, 0, 0);
  layer_case c;
  attcert_options options;
  attcert_error err = {0};
  ratio q;
  attcert_options_default(&options);
  options.memory_limit = 1000;
  layer_case_init_gaussian(&c, &shape, &r);
  ratio_init(&q);
  assert_int_equal(attcert_direction(q.lo, q.hi, &c.layer, &c.x, &c.x, &options, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "1000 bytes may be used"));
  ratio_clear(&q);
  layer_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernel_jacobian),
      cmocka_unit_test(test_one_token),
      cmocka_unit_test(test_bad_input),
      cmocka_unit_test(test_memory_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
