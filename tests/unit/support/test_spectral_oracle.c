/* The oracle for spectral norms against matrices whose norm is known exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_source.h"
#include "spectral_oracle.h"

typedef struct {
  arf_t lower, upper;
  bool tight;
} bounds;

static void bounds_init(bounds *b, const arb_mat_t a, slong precision) {
  arf_init(b->lower);
  arf_init(b->upper);
  b->tight = spectral_oracle(b->lower, b->upper, a, precision);
}

static void bounds_clear(bounds *b) {
  arf_clear(b->lower);
  arf_clear(b->upper);
}

/* The oracle must enclose `norm` tightly. */
static void assert_norm(const arb_mat_t a, const arb_t norm, slong precision) {
  bounds b;
  bounds_init(&b, a, precision);
  arf_t low, high;
  arf_init(low);
  arf_init(high);
  arb_get_lbound_arf(low, norm, precision);
  arb_get_ubound_arf(high, norm, precision);
  assert_true(b.tight);
  assert_true(arf_cmp(b.lower, high) <= 0);
  assert_true(arf_cmp(low, b.upper) <= 0);
  assert_true(arf_cmp(b.lower, b.upper) <= 0);
  arf_clear(low);
  arf_clear(high);
  bounds_clear(&b);
}

static void assert_norm_d(const arb_mat_t a, double norm) {
  arb_t exact;
  arb_init(exact);
  arb_set_d(exact, norm);
  assert_norm(a, exact, 256);
  arb_clear(exact);
}

/* Rotates rows p and q by the exact angle (3/5, 4/5). */
static void rotate_rows(arb_mat_t a, slong p, slong q, slong precision) {
  arb_t t, u;
  arb_init(t);
  arb_init(u);
  for (slong j = 0; j < arb_mat_ncols(a); j++) {
    arb_ptr x = arb_mat_entry(a, p, j), y = arb_mat_entry(a, q, j);
    arb_mul_si(t, x, 3, precision);
    arb_submul_si(t, y, 4, precision);
    arb_mul_si(u, x, 4, precision);
    arb_addmul_si(u, y, 3, precision);
    arb_div_si(x, t, 5, precision);
    arb_div_si(y, u, 5, precision);
  }
  arb_clear(t);
  arb_clear(u);
}

static void rotate_randomly(arb_mat_t a, int times, slong precision, random_source *r) {
  for (int t = 0; t < times; t++) {
    int p = random_integer(r, 0, (int)arb_mat_nrows(a) - 1), q = random_integer(r, 0, (int)arb_mat_nrows(a) - 1);
    if (p != q) rotate_rows(a, p, q, precision);
  }
}

/* a := U a W for random orthogonal U, W: the norm does not change. */
static void disguise(arb_mat_t a, slong precision, random_source *r) {
  arb_mat_t t;
  arb_mat_init(t, arb_mat_ncols(a), arb_mat_nrows(a));
  rotate_randomly(a, 4 * (int)arb_mat_nrows(a), precision, r);
  arb_mat_transpose(t, a);
  rotate_randomly(t, 4 * (int)arb_mat_nrows(t), precision, r);
  arb_mat_transpose(a, t);
  arb_mat_clear(t);
}

static void test_zero(void **state) {
  (void)state;
  arb_mat_t a;
  arb_mat_init(a, 3, 4);
  bounds b;
  bounds_init(&b, a, 256);
  assert_true(b.tight && arf_is_zero(b.lower) && arf_is_zero(b.upper));
  bounds_clear(&b);
  arb_mat_clear(a);
}

static void test_scalar(void **state) {
  (void)state;
  arb_mat_t a;
  arb_mat_init(a, 1, 1);
  arb_set_d(arb_mat_entry(a, 0, 0), -0.1);
  assert_norm_d(a, 0.1);
  arb_mat_clear(a);
}

static void test_multiples_of_identity(void **state) {
  (void)state;
  for (slong n = 1; n <= 20; n++) {
    arb_mat_t a;
    arb_mat_init(a, n, n);
    arb_mat_one(a);
    arb_mat_scalar_mul_si(a, a, -7, 256);
    assert_norm_d(a, 7);
    arb_mat_clear(a);
  }
}

/* ||[[1, 1], [0, 1]]|| is the golden ratio. */
static void test_shear(void **state) {
  (void)state;
  arb_mat_t a;
  arb_t golden;
  arb_mat_init(a, 2, 2);
  arb_init(golden);
  arb_mat_one(a);
  arb_one(arb_mat_entry(a, 0, 1));
  arb_sqrt_ui(golden, 5, 256);
  arb_add_ui(golden, golden, 1, 256);
  arb_mul_2exp_si(golden, golden, -1);
  assert_norm(a, golden, 256);
  arb_clear(golden);
  arb_mat_clear(a);
}

/* ||u v^T|| = ||u|| ||v||, wide and tall. */
static void test_rank_one(void **state) {
  (void)state;
  for (int tall = 0; tall < 2; tall++) {
    arb_mat_t a;
    arb_mat_init(a, tall ? 5 : 3, tall ? 3 : 5);
    for (slong i = 0; i < arb_mat_nrows(a); i++)
      for (slong j = 0; j < arb_mat_ncols(a); j++) arb_set_si(arb_mat_entry(a, i, j), (i + 1) * (j - 1));
    arb_t norm;
    arb_init(norm);
    arb_mat_frobenius_norm(norm, a, 256);
    assert_norm(a, norm, 256);
    arb_clear(norm);
    arb_mat_clear(a);
  }
}

/* Singular values 1, 1 - 2^-gap, 1 - 2 2^-gap, ..., disguised by rotations; gap 200 is beyond the goal, gap 0
 * repeats. */
static void test_clusters(void **state) {
  (void)state;
  static const slong gaps[] = {1, 10, 45, 52, 60, 90, 200};
  random_source r = random_source_make(1, 0, 0);
  for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
    arb_mat_t a;
    arb_t step, one;
    arb_mat_init(a, 12, 9);
    arb_init(step);
    arb_init(one);
    arb_one(one);
    for (slong i = 0; i < 9; i++) {
      arb_set_si(step, FLINT_MIN(i, 4) / 2);
      arb_mul_2exp_si(step, step, -gaps[g] - 3);
      arb_sub(arb_mat_entry(a, i, i), one, step, 512);
    }
    disguise(a, 512, &r);
    assert_norm(a, one, 512);
    arb_clear(step);
    arb_clear(one);
    arb_mat_clear(a);
  }
}

/* Norms far outside the range of double. */
static void test_magnitudes(void **state) {
  (void)state;
  random_source r = random_source_make(2, 0, 0);
  for (slong exponent = -9000; exponent <= 9000; exponent += 3000) {
    arb_mat_t a;
    arb_t norm;
    arb_mat_init(a, 4, 6);
    arb_init(norm);
    arb_mat_one(a);
    disguise(a, 256, &r);
    arb_mat_scalar_mul_2exp_si(a, a, exponent);
    arb_one(norm);
    arb_mul_2exp_si(norm, norm, exponent);
    assert_norm(a, norm, 256);
    arb_clear(norm);
    arb_mat_clear(a);
  }
}

static void test_two_hundred_rows(void **state) {
  (void)state;
  random_source r = random_source_make(3, 0, 0);
  arb_mat_t a;
  arb_mat_init(a, 200, 210);
  for (slong i = 0; i < 200; i++) arb_set_d(arb_mat_entry(a, i, i), random_uniform(&r, 0, 3));
  arb_set_si(arb_mat_entry(a, 7, 7), 3);
  disguise(a, 512, &r);
  arb_t norm;
  arb_init(norm);
  arb_set_si(norm, 3);
  assert_norm(a, norm, 512);
  arb_clear(norm);
  arb_mat_clear(a);
}

/* A matrix known to 1e-3 only: the bounds hold both of its extremes, and say that they are not tight. */
static void test_wide_balls(void **state) {
  (void)state;
  arb_mat_t a;
  arb_mat_init(a, 3, 3);
  arb_mat_one(a);
  for (slong i = 0; i < 3; i++) mag_set_d(arb_radref(arb_mat_entry(a, i, i)), 1e-3);
  bounds b;
  bounds_init(&b, a, 256);
  assert_false(b.tight);
  assert_true(arf_cmp_d(b.lower, 0.999) <= 0);
  assert_true(arf_cmp_d(b.upper, 1.001) >= 0);
  bounds_clear(&b);
  arb_mat_clear(a);
}

static void test_not_finite(void **state) {
  (void)state;
  arb_mat_t a;
  arb_mat_init(a, 2, 2);
  arb_zero_pm_inf(arb_mat_entry(a, 0, 1));
  bounds b;
  bounds_init(&b, a, 256);
  assert_false(b.tight);
  assert_true(arf_is_pos_inf(b.upper));
  assert_true(arf_is_zero(b.lower));
  bounds_clear(&b);
  arb_mat_clear(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zero),
      cmocka_unit_test(test_scalar),
      cmocka_unit_test(test_multiples_of_identity),
      cmocka_unit_test(test_shear),
      cmocka_unit_test(test_rank_one),
      cmocka_unit_test(test_clusters),
      cmocka_unit_test(test_magnitudes),
      cmocka_unit_test(test_wide_balls),
      cmocka_unit_test(test_not_finite),
      cmocka_unit_test(test_two_hundred_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
