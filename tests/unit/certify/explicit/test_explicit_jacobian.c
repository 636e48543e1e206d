/* The explicit Jacobian in MPFR: the kernel's in double, narrow, zeros where nothing attends, and exact cancellation of
 * heads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certify/explicit/explicit_jacobian_init.h"
#include "kernel_case.h"

enum { PRECISION = 128 };

static void jacobian_init(explicit_jacobian *j, const layer_case *c, mpfr_prec_t precision, int threads) {
  layer_enclosure e;
  assert_int_equal(layer_enclosure_init(&e, &c->layer, &c->x, precision, 1, NULL), ATTCERT_OK);
  assert_int_equal(explicit_jacobian_init(j, &c->layer, &e, threads, NULL), ATTCERT_OK);
  layer_enclosure_clear(&e);
}

/* Entry by entry, both masks, with and without W_O; masked blocks are exactly zero. */
static void check_kernel(const kernel_case *c) {
  explicit_jacobian j;
  jacobian_init(&j, &c->input, PRECISION, 1);
  assert_int_equal(j.rows, c->n * c->out_dim);
  assert_int_equal(j.cols, c->n * c->dim);
  double *const expected = kernel_case_jacobian(c), size = 1;
  for (int i = 0; i < j.rows * j.cols; i++) size = fmax(size, fabs(expected[i]));
  for (int i = 0; i < j.rows * j.cols; i++) {
    const double mid = mpfr_get_d(j.mid[i].v, MPFR_RNDN);
    assert_true(fabs(mid - expected[i]) <= 1e-12 * size);
    const int token = i / j.cols / c->out_dim, source = i % j.cols / c->dim;
    if (c->input.layer.mask == ATTCERT_MASK_CAUSAL && source > token) assert_true(mpfr_zero_p(j.mid[i].v));
  }
  assert_true(mpfr_sgn(j.radius) >= 0 && mpfr_cmp_d(j.radius, 0x1p-100 * size) <= 0);
  free(expected);
  explicit_jacobian_clear(&j);
}

static void test_kernel(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index++) {
    kernel_case c;
    kernel_case_init(&c, index);
    check_kernel(&c);
    kernel_case_clear(&c);
  }
}

/* || mid_53 - mid_400 ||_F, rounded down. */
static void distance(mpfr_t norm, const explicit_jacobian *a, const explicit_jacobian *b) {
  mpfr_t t;
  mpfr_init2(t, 400);
  mpfr_set_zero(norm, 1);
  for (int i = 0; i < a->rows * a->cols; i++) {
    mpfr_sub(t, a->mid[i].v, b->mid[i].v, MPFR_RNDZ);
    mpfr_sqr(t, t, MPFR_RNDD);
    mpfr_add(norm, norm, t, MPFR_RNDD);
  }
  mpfr_sqrt(norm, norm, MPFR_RNDD);
  mpfr_clear(t);
}

/* Both radii are of Frobenius norms: two enclosures of one matrix are no farther apart; bits make them narrow. */
static void test_radius(void **state) {
  (void)state;
  for (int index = 1; index < KERNEL_CASES; index += 5) {
    kernel_case c;
    explicit_jacobian coarse, fine;
    mpfr_t norm, bound;
    mpfr_inits2(100, norm, bound, (mpfr_ptr)NULL);
    kernel_case_init(&c, index);
    jacobian_init(&coarse, &c.input, 53, 1);
    jacobian_init(&fine, &c.input, 400, 1);
    distance(norm, &coarse, &fine);
    mpfr_add(bound, coarse.radius, fine.radius, MPFR_RNDU);
    assert_true(mpfr_cmp(norm, bound) <= 0);
    mpfr_mul_2ui(bound, fine.radius, 300, MPFR_RNDD);
    assert_true(mpfr_cmp(bound, coarse.radius) <= 0);
    mpfr_clears(norm, bound, (mpfr_ptr)NULL);
    explicit_jacobian_clear(&coarse);
    explicit_jacobian_clear(&fine);
    kernel_case_clear(&c);
  }
}

/* Two equal heads and W_O = [I, -I]: W_O is applied before any rounding to double, so nothing but the intervals is
 * left. */
static void test_cancelling_heads(void **state) {
  (void)state;
  const layer_shape shape = {.n = 3, .dim = 4, .heads = 2, .head_dim = 2, .out_dim = 2};
  layer_case c;
  explicit_jacobian j;
  random_source r = random_source_make(24, 0, 0);
  layer_case_init_gaussian(&c, &shape, &r);
  double *const weights[] = {c.layer.query_weight, c.layer.key_weight, c.layer.value_weight};
  for (int w = 0; w < 3; w++) memcpy(weights[w] + 8, weights[w], 8 * sizeof(double));
  static const double output[] = {1, 0, -1, 0, 0, 1, 0, -1};
  memcpy(c.layer.output_weight, output, sizeof output);
  jacobian_init(&j, &c, PRECISION, 1);
  for (int i = 0; i < j.rows * j.cols; i++) assert_true(fabs(mpfr_get_d(j.mid[i].v, MPFR_RNDN)) < 0x1p-110);
  assert_true(mpfr_cmp_d(j.radius, 0x1p-100) < 0);
  explicit_jacobian_clear(&j);
  layer_case_clear(&c);
}

static void test_threads_do_not_matter(void **state) {
  (void)state;
  kernel_case c;
  explicit_jacobian one, four;
  kernel_case_init(&c, 37);
  jacobian_init(&one, &c.input, PRECISION, 1);
  jacobian_init(&four, &c.input, PRECISION, 4);
  for (int i = 0; i < one.rows * one.cols; i++) assert_true(mpfr_equal_p(one.mid[i].v, four.mid[i].v));
  assert_true(mpfr_equal_p(one.radius, four.radius));
  explicit_jacobian_clear(&one);
  explicit_jacobian_clear(&four);
  kernel_case_clear(&c);
}

/* ---- to double --------------------------------------------------------------------------------------------------- */

/* One token: J = V. Any scale, the largest entry in [1/2, 1). */
static void check_to_double(double scale) {
  const layer_shape shape = {.n = 1, .dim = 3, .heads = 1, .head_dim = 2};
  layer_case c;
  explicit_jacobian j;
  double a[6];
  long exponent;
  layer_case_init_zero(&c, &shape);
  for (int i = 0; i < 6; i++) c.layer.value_weight[i] = (i - 2) * scale;
  jacobian_init(&j, &c, PRECISION, 1);
  explicit_jacobian_to_double(a, &exponent, &j);
  double largest = 0;
  for (int i = 0; i < 6; i++) {
    assert_true(ldexp(a[i], (int)exponent) == c.layer.value_weight[i]);
    largest = fmax(largest, fabs(a[i]));
  }
  assert_true(scale == 0 ? largest == 0 && exponent == 0 : largest >= 0.5 && largest < 1);
  explicit_jacobian_clear(&j);
  layer_case_clear(&c);
}

static void test_to_double(void **state) {
  (void)state;
  check_to_double(1);
  check_to_double(1e200);
  check_to_double(0x1p-1070);
  check_to_double(0);
}

static void test_bytes(void **state) {
  (void)state;
  const attcert_layer layer = {.dim = 5, .heads = 2, .head_dim = 3, .out_dim = 6};
  for (mpfr_prec_t precision = 53; precision < 5000; precision *= 4)
    assert_true(explicit_jacobian_bytes(&layer, 7, precision) >= point_vec_bytes(7 * 6 * 7 * 5, precision));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernel),           cmocka_unit_test(test_radius),
      cmocka_unit_test(test_cancelling_heads), cmocka_unit_test(test_threads_do_not_matter),
      cmocka_unit_test(test_to_double),        cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
