/* Vectors in one block: initial values, sizes, and what points make of doubles; products with special elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "interval_relation.h"

static bool is(const interval *x, double lo, double hi) {
  return !interval_has_nan(x) && mpfr_cmp_d(x->lo, lo) == 0 && mpfr_cmp_d(x->hi, hi) == 0;
}

static void test_elements_start_at_zero(void **state) {
  (void)state;
  interval *const v = interval_vec_new(7, 128);
  for (int i = 0; i < 7; i++) {
    assert_true(is(&v[i], 0, 0));
    assert_int_equal(mpfr_get_prec(v[i].lo), 128);
  }
  interval_set_d(&v[3], 5); /* neighbours keep their value */
  assert_true(is(&v[2], 0, 0) && is(&v[3], 5, 5) && is(&v[4], 0, 0));
  interval_vec_free(v);
}

static void test_sizes(void **state) {
  (void)state;
  assert_int_equal(interval_vec_bytes(1000, 128), 96000);
  assert_int_equal(point_vec_bytes(1000, 128), 48000);
  assert_int_equal(point_vec_bytes(1, 2), point_vec_bytes(1, 53));
  assert_true(interval_vec_bytes(SIZE_MAX / 2 + 1, 128) == SIZE_MAX);
  assert_true(interval_vec_bytes(SIZE_MAX / 90, 128) == SIZE_MAX);
  assert_null(interval_vec_new(SIZE_MAX / 2 + 1, 128));
  assert_null(interval_vec_new(SIZE_MAX / 90, 128));
  assert_null(point_vec_new(SIZE_MAX / 40, 128));
  interval *const none = interval_vec_new(0, 128);
  assert_non_null(none);
  interval_vec_free(none);
  interval_vec_free(NULL);
  point_vec_free(NULL);
}

static void test_points_are_exact(void **state) {
  (void)state;
  const double x[] = {0.1, -0x1p-1074, 0x1.fffffffffffffp+1023, NAN, INFINITY, -INFINITY};
  point *const p = point_vec_new(6, 24); /* raised to 53 bits */
  point_vec_set_d(p, x, 6);
  for (int i = 0; i < 3; i++) assert_true(mpfr_cmp_d(p[i].v, x[i]) == 0);
  for (int i = 3; i < 6; i++) assert_true(mpfr_nan_p(p[i].v));
  point_vec_free(p);
}

/* (1 + 2^-52)^2 needs 105 bits and is exact; 2^-200 more does not fit 128, and the ends differ by one unit. */
static void test_point_product_is_enclosed(void **state) {
  (void)state;
  const double x[] = {0x1.0000000000001p0, 1}, y[] = {0x1.0000000000001p0, 0x1p-200};
  point *const p = point_vec_new(2, 53), *const q = point_vec_new(2, 53);
  interval r;
  interval_scratch ws;
  interval_init(&r, 128);
  interval_scratch_init(&ws, 106);
  point_vec_set_d(p, x, 2);
  point_vec_set_d(q, y, 2);
  interval_dot_points(&r, p, q, 1, &ws);
  assert_true(mpfr_equal_p(r.lo, r.hi));
  interval_dot_points(&r, p, q, 2, &ws);
  mpfr_nextabove(r.lo);
  assert_true(mpfr_equal_p(r.lo, r.hi));
  interval_clear(&r);
  interval_scratch_clear(&ws);
  point_vec_free(p);
  point_vec_free(q);
}

typedef struct {
  interval *a, *b, r;
  point *p, *q;
  interval_scratch ws;
} vectors;

static int setup(void **state) {
  static vectors v;
  const double x[] = {1, 2}, y[] = {0, 3};
  v.a = interval_vec_new(2, 64);
  v.b = interval_vec_new(2, 64);
  v.p = point_vec_new(2, 64);
  v.q = point_vec_new(2, 64);
  interval_init(&v.r, 64);
  interval_scratch_init(&v.ws, 128);
  point_vec_set_d(v.p, x, 2);
  point_vec_set_d(v.q, y, 2);
  for (int i = 0; i < 2; i++) {
    interval_set_d(&v.a[i], x[i]);
    interval_set_d(&v.b[i], y[i]);
  }
  *state = &v;
  return 0;
}

static int teardown(void **state) {
  vectors *const v = *state;
  interval_vec_free(v->a);
  interval_vec_free(v->b);
  point_vec_free(v->p);
  point_vec_free(v->q);
  interval_clear(&v->r);
  interval_scratch_clear(&v->ws);
  return 0;
}

static void test_products_agree(void **state) {
  vectors *const v = *state;
  interval_dot(&v->r, v->a, v->b, 2, &v->ws);
  assert_true(is(&v->r, 6, 6));
  interval_dot_points(&v->r, v->p, v->q, 2, &v->ws);
  assert_true(is(&v->r, 6, 6));
  interval_dot_mixed(&v->r, v->a, v->q, 2, &v->ws);
  assert_true(is(&v->r, 6, 6));
  interval_dot(&v->r, v->a, v->b, 0, &v->ws);
  assert_true(is(&v->r, 0, 0));
}

/* 0 x unbounded = 0 (b and q start with 0); a NaN claims nothing whatever it meets; empty wins over everything. */
static void test_special_elements(void **state) {
  vectors *const v = *state;
  interval_set_whole(&v->a[0]);
  interval_dot(&v->r, v->a, v->b, 2, &v->ws);
  assert_true(is(&v->r, 6, 6));
  interval_dot_mixed(&v->r, v->a, v->q, 2, &v->ws);
  assert_true(is(&v->r, 6, 6));
  mpfr_set_nan(v->q[0].v);
  interval_dot_points(&v->r, v->p, v->q, 2, &v->ws);
  assert_true(interval_relation_whole(&v->r));
  interval_set_zero(&v->a[0]);
  interval_dot_mixed(&v->r, v->a, v->q, 2, &v->ws);
  assert_true(interval_relation_whole(&v->r));
  interval_set_empty(&v->a[0]);
  interval_dot_mixed(&v->r, v->a, v->q, 2, &v->ws);
  assert_true(interval_is_empty(&v->r));
  interval_dot(&v->r, v->a, v->b, 2, &v->ws);
  assert_true(interval_is_empty(&v->r));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements_start_at_zero),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_points_are_exact),
      cmocka_unit_test(test_point_product_is_enclosed),
      cmocka_unit_test_setup_teardown(test_products_agree, setup, teardown),
      cmocka_unit_test_setup_teardown(test_special_elements, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
