/* Products of intervals and matrices from slices of doubles contain the exact ones, of numbers with more bits than a
 * double has and of all magnitudes, and are hardly wider than what the slices leave; as wide as
 * the inputs make them. */
#include "interval/interval_set.h"
#include "network/affine/affine_slices.h"
#include "random_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BITS = 200, EXACT = 1200, MOST = 40 };

/* A point of many bits, 2^-spread to 1 in magnitude. */
static void random_point(interval *x, int spread, random_source *r) {
  const double scale = exp2(-random_uniform(r, 0.0, spread));
  mpfr_set_d(x->lo, scale * random_uniform(r, -1.0, 1.0), MPFR_RNDN);
  for (int k = 0; k < 3; k++) {
    mpfr_mul_d(x->lo, x->lo, 1.0 + ldexp(random_uniform(r, -1.0, 1.0), -20), MPFR_RNDN);
  }
  mpfr_set(x->hi, x->lo, MPFR_RNDN);
}

static void check_entry(const interval *y, const interval *x, const double *weight, int m, double most) {
  mpfr_t exact, width;
  mpfr_inits2(EXACT, exact, width, (mpfr_ptr)0);
  mpfr_set_zero(exact, 1);
  for (int a = 0; a < m; a++) {
    mpfr_mul_d(width, x[a].lo, weight[a], MPFR_RNDN);
    mpfr_add(exact, exact, width, MPFR_RNDN);
  }
  assert_true(mpfr_lessequal_p(y->lo, exact) && mpfr_lessequal_p(exact, y->hi));
  mpfr_sub(width, y->hi, y->lo, MPFR_RNDU);
  if (!(mpfr_get_d(width, MPFR_RNDU) <= most))
    fail_msg("width %g, expected at most %g", mpfr_get_d(width, MPFR_RNDU), most);
  mpfr_clears(exact, width, (mpfr_ptr)0);
}

/* Spread: how many binary orders of magnitude the numbers have. */
static void check_product(int rows, int m, int cols, int spread, int bits, random_source *r) {
  step_enclosure x, y;
  step_scratch scratch;
  double *const weight = calloc((size_t)(m * cols), sizeof *weight);
  assert_non_null(weight);
  step_scratch_init(&scratch, BITS);
  scratch.product_bits = bits;
  assert_int_equal(step_enclosure_init(&x, rows, m, BITS, NULL), ATTCERT_OK);
  assert_int_equal(step_enclosure_init(&y, rows, cols, BITS, NULL), ATTCERT_OK);
  for (int k = 0; k < rows * m; k++) random_point(&x.entry[k], spread, r);
  for (int k = 0; k < m * cols; k++) weight[k] = exp2(-random_uniform(r, 0.0, spread)) * random_uniform(r, -1.0, 1.0);
  assert_int_equal(affine_slices_multiply(&y, &x, weight, &scratch, NULL), ATTCERT_OK);
  /* numbers of at most 1; inputs of so many bits, intervals of BITS */
  const double most = m * (exp2(3.0 - bits) + exp2(3.0 - BITS));
  for (int i = 0; i < rows; i++) {
    for (int c = 0; c < cols; c++) check_entry(step_entry(&y, i, c), step_entry(&x, i, 0), weight + c * m, m, most);
  }
  step_enclosure_clear(&x);
  step_enclosure_clear(&y);
  step_scratch_clear(&scratch);
  free(weight);
}

static void products_contain_the_exact_ones(void **state) {
  (void)state;
  random_source r = random_source_make(1, 9, 0);
  for (int k = 0; k < 300; k++)
    check_product(random_integer(&r, 1, 4), random_integer(&r, 1, MOST), random_integer(&r, 1, 4),
                  k % 3 == 0 ? 0 : random_integer(&r, 0, 90), random_integer(&r, 20, 2 * BITS), &r);
  check_product(3, 768, 3, 0, 84, &r);
  check_product(2, 3000, 2, 40, BITS, &r);
  check_product(7, 1000, 5000, 2, 60, &r); /* several blocks of columns */
  check_product(40, 3000, 2, 3, BITS, &r); /* of rows */
}

/* sum w c -+ sum |w| r, which members of x reach that lie on the ends of its entries, is in y, and y is no wider; c of
 * 20 bits and r of 30 are doubles together. */
static void check_reached(const interval *y, const double *weight, const double *center, const double *radius, int m) {
  mpfr_t end, term;
  mpfr_inits2(EXACT, end, term, (mpfr_ptr)0);
  for (int side = -1; side <= 1; side += 2) {
    mpfr_set_zero(end, 1);
    for (int a = 0; a < m; a++) {
      mpfr_set_d(term, weight[a], MPFR_RNDN);
      mpfr_mul_d(term, term, center[a] + (weight[a] < 0.0 ? -side : side) * radius[a], MPFR_RNDN);
      mpfr_add(end, end, term, MPFR_RNDN);
    }
    assert_true(mpfr_lessequal_p(y->lo, end) && mpfr_lessequal_p(end, y->hi));
    mpfr_sub(term, side < 0 ? y->lo : y->hi, end, MPFR_RNDN);
    assert_true(fabs(mpfr_get_d(term, MPFR_RNDN)) <= 1e-9 * m * 0x1p-20);
  }
  mpfr_clears(end, term, (mpfr_ptr)0);
}

static void widths_are_those_of_the_input(void **state) {
  (void)state;
  enum { M = 30, COLS = 3 };
  random_source r = random_source_make(1, 9, 1);
  for (int k = 0; k < 60; k++) {
    const int m = random_integer(&r, 1, M);
    double weight[COLS * M], center[M], radius[M];
    step_enclosure x, y;
    step_scratch scratch;
    step_scratch_init(&scratch, BITS);
    scratch.product_bits = random_integer(&r, 60, BITS);
    assert_int_equal(step_enclosure_init(&x, 1, m, BITS, NULL), ATTCERT_OK);
    assert_int_equal(step_enclosure_init(&y, 1, COLS, BITS, NULL), ATTCERT_OK);
    for (int a = 0; a < m; a++) {
      center[a] = ldexp(random_integer(&r, -(1 << 20), 1 << 20), -20);
      radius[a] = ldexp(random_integer(&r, 0, 1 << 10), -30);
      mpfr_set_d(x.entry[a].lo, center[a] - radius[a], MPFR_RNDN);
      mpfr_set_d(x.entry[a].hi, center[a] + radius[a], MPFR_RNDN);
    }
    for (int c = 0; c < COLS * m; c++) weight[c] = random_uniform(&r, -1.0, 1.0);
    assert_int_equal(affine_slices_multiply(&y, &x, weight, &scratch, NULL), ATTCERT_OK);
    for (int c = 0; c < COLS; c++) check_reached(step_entry(&y, 0, c), weight + c * m, center, radius, m);
    interval_set_whole(&x.entry[m - 1]);
    assert_int_equal(affine_slices_multiply(&y, &x, weight, &scratch, NULL), ATTCERT_OK);
    for (int c = 0; c < COLS; c++) assert_true(mpfr_inf_p(y.entry[c].lo) && mpfr_inf_p(y.entry[c].hi));
    step_enclosure_clear(&x);
    step_enclosure_clear(&y);
    step_scratch_clear(&scratch);
  }
}

/* Zeros, and numbers whose products underflow. */
static void small_numbers_have_a_bound(void **state) {
  (void)state;
  step_enclosure x, y;
  step_scratch scratch;
  const double weight[] = {0.0, 0.0, 0x1p-1000, 0x1p-1074};
  step_scratch_init(&scratch, BITS);
  scratch.product_bits = BITS;
  assert_int_equal(step_enclosure_init(&x, 2, 2, BITS, NULL), ATTCERT_OK);
  assert_int_equal(step_enclosure_init(&y, 2, 2, BITS, NULL), ATTCERT_OK);
  for (int a = 0; a < 2; a++) {
    mpfr_set_d(x.entry[a].lo, 0x1p-600, MPFR_RNDN);
    mpfr_set_d(x.entry[a].hi, 0x1p-600, MPFR_RNDN);
  }
  assert_int_equal(affine_slices_multiply(&y, &x, weight, &scratch, NULL), ATTCERT_OK);
  for (int i = 0; i < 2; i++) {
    for (int c = 0; c < 2; c++) check_entry(step_entry(&y, i, c), step_entry(&x, i, 0), weight + 2 * c, 2, 0x1p-590);
  }
  step_enclosure_clear(&x);
  step_enclosure_clear(&y);
  step_scratch_clear(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_contain_the_exact_ones),
      cmocka_unit_test(widths_are_those_of_the_input),
      cmocka_unit_test(small_numbers_have_a_bound),
  };
  return cmocka_run_group_tests_name("affine_slices", tests, NULL, NULL);
}
