/* nonnegative_norm_squared: an upper bound of ||A||_2^2 of non-negative matrices, close to it where six power steps get
 * close. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/nonnegative_norm.h"
#include "random_source.h"
#include "spectral_oracle.h"

enum { MAX_SIDE = 12, PRECISION = 256 };

static double bound_of(const double *a, int rows, int cols, double roundings) {
  const dense_matrix matrix = {a, rows, cols};
  const linear_operator op = dense_matrix_operator(&matrix);
  double bound = NAN;
  assert_int_equal(nonnegative_norm_squared(&bound, &op, roundings, NULL), ATTCERT_OK);
  return bound;
}

static double inner_bound(const double *a, int rows, int cols) {
  return bound_of(a, rows, cols, fmax(rows, cols));
}

static void test_known_norms(void **state) {
  (void)state;
  double ones[MAX_SIDE * MAX_SIDE], diagonal[MAX_SIDE * MAX_SIDE] = {0};
  for (int i = 0; i < MAX_SIDE * MAX_SIDE; i++) ones[i] = 1;
  for (int i = 0; i < MAX_SIDE; i++) diagonal[i * MAX_SIDE + i] = i + 1;
  for (int rows = 1; rows <= MAX_SIDE; rows++)
    for (int cols = 1; cols <= MAX_SIDE; cols++) {
      const double bound = inner_bound(ones, rows, cols);
      assert_true(bound >= rows * cols && bound <= rows * cols * (1 + 1e-12));
    }
  const double bound = inner_bound(diagonal, MAX_SIDE, MAX_SIDE);
  assert_true(bound >= MAX_SIDE * MAX_SIDE && bound <= MAX_SIDE * MAX_SIDE * (1 + 1e-12));
}

/* Nilpotent, with a zero row and a zero column: the power step alone would lose positivity. */
static void test_reducible(void **state) {
  (void)state;
  const double shift[] = {0, 3, 0, 0, 0, 2, 0, 0, 0}, zero[4] = {0};
  const double bound = inner_bound(shift, 3, 3);
  assert_true(bound >= 9 && bound <= 9 * (1 + 1e-12));
  assert_true(inner_bound(zero, 2, 2) >= 0 && inner_bound(zero, 2, 2) <= 1e-300);
}

static void check_random(random_source *r) {
  const int rows = random_integer(r, 1, MAX_SIDE), cols = random_integer(r, 1, MAX_SIDE);
  const bool sparse = random_chance(r, 0.3);
  double a[MAX_SIDE * MAX_SIDE];
  arb_mat_t matrix;
  arf_t lower, upper, square;
  arf_init(lower);
  arf_init(upper);
  arf_init(square);
  arb_mat_init(matrix, rows, cols);
  for (int i = 0; i < rows * cols; i++) {
    a[i] = sparse && random_chance(r, 0.7) ? 0 : random_uniform(r, 0, 1);
    arb_set_d(arb_mat_entry(matrix, i / cols, i % cols), a[i]);
  }
  spectral_oracle(lower, upper, matrix, PRECISION);
  arf_mul(square, lower, lower, PRECISION, ARF_RND_DOWN);
  const double bound = inner_bound(a, rows, cols);
  assert_true(arf_cmp_d(square, bound) <= 0);
  assert_true(sparse || bound <= 1.01 * arf_get_d(square, ARF_RND_UP)); /* positive matrices converge fast */
  arb_mat_clear(matrix);
  arf_clear(lower);
  arf_clear(upper);
  arf_clear(square);
}

static void test_random(void **state) {
  (void)state;
  for (uint64_t index = 0; index < 100; index++) {
    random_source r = random_source_make(5, 0, index);
    check_random(&r);
  }
}

/* Products that took m roundings each way may have lost a factor (1 - u)^(2m). */
static void test_roundings_are_paid_for(void **state) {
  (void)state;
  const double one = 1, m = 0x1p40;
  assert_true(bound_of(&one, 1, 1, m) >= 1 + 2 * m * 0x1p-53);
}

/* ---- products that are dear, or fail ----------------------------------------------------------------------------- */

/* B = diag(3, 1): from x = (1, 1), the bound is 3 at once. */
typedef struct {
  int calls, fails_at;
} dear_square;

static attcert_status apply_dear(void *context, double *y, const double *x, attcert_error *err) {
  dear_square *const s = context;
  y[0] = 3 * x[0];
  y[1] = x[1];
  return ++s->calls == s->fails_at ? attcert_fail(err, ATTCERT_RESOURCE, "no product today") : ATTCERT_OK;
}

static void test_stops_when_nothing_is_gained(void **state) {
  (void)state;
  dear_square s = {0, 0};
  const nonnegative_square square = {2, apply_dear, &s, 1};
  double bound;
  assert_int_equal(nonnegative_radius(&bound, &square, 0.01, NULL), ATTCERT_OK);
  assert_true(bound >= 3 && bound <= 3 * (1 + 1e-12));
  assert_int_equal(s.calls, 2);
  s.calls = 0;
  assert_int_equal(nonnegative_radius(&bound, &square, 0, NULL), ATTCERT_OK);
  assert_int_equal(s.calls, NONNEGATIVE_STEPS);
}

static void test_product_fails(void **state) {
  (void)state;
  for (int fails_at = 1; fails_at <= 2; fails_at++) {
    dear_square s = {0, fails_at};
    const nonnegative_square square = {2, apply_dear, &s, 1};
    double bound;
    attcert_error err;
    assert_int_equal(nonnegative_radius(&bound, &square, 0, &err), ATTCERT_RESOURCE);
    assert_int_equal(s.calls, fails_at);
    assert_true(bound >= 3);
  }
}

static void test_no_number_no_bound(void **state) {
  (void)state;
  const double bad[] = {1, NAN, 1, 1}, infinite[] = {1, 0, INFINITY, 1}, large[] = {1e200, 1e200, 1e200, 1e200};
  assert_true(isinf(inner_bound(bad, 2, 2)));
  assert_true(isinf(inner_bound(infinite, 2, 2)));
  assert_true(isinf(inner_bound(large, 2, 2)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_norms),
      cmocka_unit_test(test_reducible),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_roundings_are_paid_for),
      cmocka_unit_test(test_stops_when_nothing_is_gained),
      cmocka_unit_test(test_product_fails),
      cmocka_unit_test(test_no_number_no_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
