/* Norms of products with a closed form, at any scale. */
#include "arb_head.h"
#include "interval/interval_query.h"
#include "interval_relation.h"
#include "random_source.h"
#include "spectral_oracle.h"
#include "theory/layer_norms.h"
#include "theory/product_norm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double tight = 1e-11;

/* The interval holds the square root of square, and is narrow. */
static void assert_sqrt(const interval *norm, double square, long exponent) {
  mpfr_t root, width;
  mpfr_inits2(200, root, width, (mpfr_ptr)0);
  mpfr_set_d(root, square, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN); /* to 200 bits: any error is far below the interval's width */
  mpfr_mul_2si(root, root, exponent, MPFR_RNDN);
  assert_true(mpfr_lessequal_p(norm->lo, root) && mpfr_lessequal_p(root, norm->hi));
  mpfr_sub(width, norm->hi, norm->lo, MPFR_RNDU);
  mpfr_div(width, width, root, MPFR_RNDU);
  assert_true(mpfr_cmp_d(width, tight) <= 0);
  mpfr_clears(root, width, (mpfr_ptr)0);
}

static void scaled(double *a, const double *b, size_t count, int exponent) {
  for (size_t i = 0; i < count; i++) a[i] = ldexp(b[i], exponent);
}

/* K^T Q of rank one: K = (1, 2, 2) and Q = (3, 4) as rows, so that the norm is 3 * 5. */
static void rank_one(void **state) {
  (void)state;
  const double key[] = {1, 2, 2}, query[] = {3, 4};
  double a[3], b[2];
  interval norm;
  interval_init(&norm, THEORY_PRECISION);
  for (int e = -1000; e <= 1000; e += 500) {
    scaled(a, key, 3, e);
    scaled(b, query, 2, e);
    assert_int_equal(product_norm(&norm, (product_factor){a, true}, (product_factor){b, false}, 3, 1, 2, NULL),
                     ATTCERT_OK);
    assert_sqrt(&norm, 225.0, 2 * e);
  }
  interval_clear(&norm);
}

/* [[1, 1], [0, 1]] [[1, 0], [1, 1]] = [[2, 1], [1, 1]], symmetric, with the square of the golden ratio as its norm; all
 * four ways to store the factors agree. */
static void transposes(void **state) {
  (void)state;
  const double upper[] = {1, 1, 0, 1}, lower[] = {1, 0, 1, 1};
  interval norm;
  interval_init(&norm, THEORY_PRECISION);
  for (int way = 0; way < 4; way++) {
    const product_factor a = (way & 1) != 0 ? (product_factor){lower, true} : (product_factor){upper, false};
    const product_factor b = (way & 2) != 0 ? (product_factor){upper, true} : (product_factor){lower, false};
    assert_int_equal(product_norm(&norm, a, b, 2, 2, 2, NULL), ATTCERT_OK);
    assert_true(interval_relation_contains(&norm, (3.0 + sqrt(5.0)) / 2.0) ||
                fabs(mpfr_get_d(norm.hi, MPFR_RNDN) - (3.0 + sqrt(5.0)) / 2.0) < 1e-14);
    assert_true(mpfr_get_d(norm.hi, MPFR_RNDU) - mpfr_get_d(norm.lo, MPFR_RNDD) < tight);
  }
  interval_clear(&norm);
}

/* Orthogonal rows and columns: entries that cancel exactly give exactly zero. */
static void zero_product(void **state) {
  (void)state;
  const double a[] = {1, -1}, b[] = {1, 1}, zero[] = {0, 0};
  interval norm;
  interval_init(&norm, THEORY_PRECISION);
  assert_int_equal(product_norm(&norm, (product_factor){a, false}, (product_factor){b, false}, 1, 2, 1, NULL),
                   ATTCERT_OK);
  assert_true(interval_relation_contains(&norm, 0.0));
  assert_true(mpfr_cmp_d(norm.hi, 1e-14) < 0);
  assert_int_equal(product_norm(&norm, (product_factor){a, false}, (product_factor){zero, false}, 1, 2, 1, NULL),
                   ATTCERT_OK);
  assert_true(mpfr_zero_p(norm.lo) && mpfr_zero_p(norm.hi));
  interval_clear(&norm);
}

/* Entries that cancel: 2^60 + 1 - 2^60 is 1, which double arithmetic in any order may miss, and the interval may
 * not. */
static void cancellation(void **state) {
  (void)state;
  const double a[] = {0x1p60, 1, -0x1p60}, b[] = {1, 1, 1};
  interval norm;
  interval_init(&norm, THEORY_PRECISION);
  assert_int_equal(product_norm(&norm, (product_factor){a, false}, (product_factor){b, false}, 1, 3, 1, NULL),
                   ATTCERT_OK);
  assert_true(interval_relation_contains(&norm, 1.0));
  interval_clear(&norm);
}

/* Random factors, of every shape and scale, against the exact product's norm. */
static void random_products(void **state) {
  (void)state;
  random_source r = random_source_make(3, 0, 0);
  interval norm;
  arf_t lower, upper, end;
  interval_init(&norm, THEORY_PRECISION);
  arf_init(lower);
  arf_init(upper);
  arf_init(end);
  for (int trial = 0; trial < 100; trial++) {
    const int rows = random_integer(&r, 1, 6), inner = random_integer(&r, 1, 6), cols = random_integer(&r, 1, 6);
    double a[36], b[36];
    random_fill_gaussian(a, 36, ldexp(1.0, random_integer(&r, -1060, 900)), &r); /* subnormal entries too */
    random_fill_gaussian(b, 36, ldexp(1.0, random_integer(&r, -1060, 900)), &r);
    arb_mat_t x, y;
    arb_mat_init(x, rows, inner);
    arb_mat_init(y, inner, cols);
    arb_mat_set_doubles(x, a);
    arb_mat_set_doubles(y, b);
    arb_mat_t product;
    arb_mat_init(product, rows, cols);
    arb_mat_mul(product, x, y, 512);
    assert_true(spectral_oracle(lower, upper, product, 512));
    assert_int_equal(
        product_norm(&norm, (product_factor){a, false}, (product_factor){b, false}, rows, inner, cols, NULL),
        ATTCERT_OK);
    arf_set_mpfr(end, norm.lo);
    assert_true(arf_cmp(end, upper) <= 0);
    arf_set_mpfr(end, norm.hi);
    assert_true(arf_cmp(end, lower) >= 0);
    arb_mat_clear(product);
    arb_mat_clear(y);
    arb_mat_clear(x);
  }
  arf_clear(end);
  arf_clear(upper);
  arf_clear(lower);
  interval_clear(&norm);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rank_one),     cmocka_unit_test(transposes),      cmocka_unit_test(zero_product),
      cmocka_unit_test(cancellation), cmocka_unit_test(random_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
