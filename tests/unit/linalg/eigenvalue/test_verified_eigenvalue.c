/* Verified eigenvalues: what is known, what must not be verified, and random matrices against Arb's determinants. */
#include "interval/interval_query.h"
#include "interval/interval_vec.h"
#include "interval_relation.h"
#include "linalg/eigenvalue/verified_eigenvalue.h"
#include "random_source.h"

#include <arb_mat.h>
#include <lapacke.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 6 };

/* Verifies a pair of the size x size matrix, every entry widened to +- radius. */
static bool verify(interval *lambda, const double *m, int size, double radius, double guess, const double *vector) {
  interval *const entry = interval_vec_new((size_t)(size * size), 128);
  bool verified;
  for (int i = 0; i < size * size; i++) {
    mpfr_set_d(entry[i].lo, m[i] - radius, MPFR_RNDD);
    mpfr_set_d(entry[i].hi, m[i] + radius, MPFR_RNDU);
  }
  assert_int_equal(verified_eigenvalue(&verified, lambda, entry, size, guess, vector, NULL), ATTCERT_OK);
  interval_vec_free(entry);
  return verified;
}

static double width(const interval *a) {
  mpfr_t difference;
  mpfr_init2(difference, 53);
  mpfr_sub(difference, a->hi, a->lo, MPFR_RNDU);
  const double width_up = mpfr_get_d(difference, MPFR_RNDU);
  mpfr_clear(difference);
  return width_up;
}

static void known(void **state) {
  (void)state;
  interval lambda;
  interval_init(&lambda, 128);
  assert_true(verify(&lambda, (double[]){0.75}, 1, 0.0, 0.75, (double[]){1}));
  assert_true(interval_relation_contains(&lambda, 0.75) && width(&lambda) < 1e-37);
  assert_true(verify(&lambda, (double[]){1, 0, 0, -0.5}, 2, 0.0, -0.5, (double[]){0, 1}));
  assert_true(interval_relation_contains(&lambda, -0.5) && width(&lambda) < 1e-37);
  /* [[0.5, 1], [0.25, 0.5]]: 0 and 1, with (2, 1); the proposal is off, and its scale is free. */
  assert_true(verify(&lambda, (double[]){0.5, 1, 0.25, 0.5}, 2, 0.0, 1.0001, (double[]){-40.01, -20}));
  assert_true(interval_relation_contains(&lambda, 1.0) && width(&lambda) < 1e-3);
  assert_true(verify(&lambda, (double[]){0.5, 1, 0.25, 0.5}, 2, 0.0, 0.0, (double[]){2, -1}));
  assert_true(interval_relation_contains(&lambda, 0.0));
  interval_clear(&lambda);
}

static void not_verified(void **state) {
  (void)state;
  interval lambda;
  interval_init(&lambda, 128);
  const double identity[] = {1, 0, 0, 1}, jordan[] = {1, 1, 0, 1}, rotation[] = {0, 1, -1, 0},
               simple[] = {1, 0, 0, 0.5};
  const double x[] = {1, 0}, diagonal[] = {1, 1}, zero[] = {0, 0};
  assert_false(verify(&lambda, identity, 2, 0.0, 1.0, x));        /* double */
  assert_false(verify(&lambda, jordan, 2, 0.0, 1.0, x));          /* defective */
  assert_false(verify(&lambda, rotation, 2, 0.0, 0.0, diagonal)); /* complex */
  assert_false(verify(&lambda, rotation, 2, 0.0, 1.0, x));
  assert_false(verify(&lambda, simple, 2, 0.0, 0.75, diagonal)); /* no pair near */
  assert_false(verify(&lambda, simple, 2, 0.0, 1.0, zero));
  assert_false(verify(&lambda, simple, 2, 0.0, NAN, x));
  assert_false(verify(&lambda, simple, 2, 0.0, INFINITY, x));
  interval_clear(&lambda);
}

/* Nearly double: [[1, e], [e, 1]] has 1 +- e; the interval matrix of radius e holds the identity, and is not
 * verified. */
static void nearly_double(void **state) {
  (void)state;
  interval lambda;
  interval_init(&lambda, 128);
  const double e = 0x1p-20, m[] = {1, e, e, 1}, v[] = {1, 1};
  assert_true(verify(&lambda, m, 2, 0.0, 1.0 + e, v));
  assert_true(interval_relation_contains(&lambda, 1.0 + e) && mpfr_cmp_d(lambda.lo, 1.0) > 0);
  assert_false(verify(&lambda, m, 2, e, 1.0 + e, v));
  interval_clear(&lambda);
}

/* Every matrix in the intervals: the symmetric 2 x 2 ones have a formula. */
static void interval_matrix(void **state) {
  (void)state;
  interval lambda;
  interval_init(&lambda, 128);
  const double m[] = {0.5, 0.25, 0.25, -0.5}, top = sqrt(0.25 + 0.0625), radius = 0.01;
  assert_true(verify(&lambda, m, 2, radius, top, (double[]){0.25, top - 0.5}));
  for (int corner = 0; corner < 8; corner++) {
    const double a = 0.5 + ((corner & 1) != 0 ? radius : -radius), d = -0.5 + ((corner & 2) != 0 ? radius : -radius);
    const double b = 0.25 + ((corner & 4) != 0 ? radius : -radius);
    assert_true(interval_relation_contains(&lambda, (a + d) / 2 + sqrt((a - d) * (a - d) / 4 + b * b)));
  }
  interval_clear(&lambda);
}

/* det(M - end I). */
static void characteristic(arb_t value, const double *m, int size, mpfr_srcptr end) {
  arb_mat_t a;
  arf_t t;
  arb_mat_init(a, size, size);
  arf_init(t);
  arf_set_mpfr(t, end);
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++) arb_set_d(arb_mat_entry(a, i, j), m[i * size + j]);
    arb_sub_arf(arb_mat_entry(a, i, i), arb_mat_entry(a, i, i), t, 512);
  }
  arb_mat_det(value, a, 512);
  arf_clear(t);
  arb_mat_clear(a);
}

/* A simple eigenvalue lies strictly inside: the characteristic polynomial changes its sign over the interval. */
static void assert_brackets(const interval *lambda, const double *m, int size) {
  arb_t lo, hi;
  arb_init(lo);
  arb_init(hi);
  characteristic(lo, m, size, lambda->lo);
  characteristic(hi, m, size, lambda->hi);
  arb_mul(lo, lo, hi, 512);
  assert_true(arb_is_negative(lo));
  arb_clear(hi);
  arb_clear(lo);
}

static void random_matrices(void **state) {
  (void)state;
  random_source r = random_source_make(5, 0, 0);
  interval lambda;
  int tried = 0, verified = 0;
  interval_init(&lambda, 128);
  for (int trial = 0; trial < 200; trial++) {
    const int size = random_integer(&r, 2, LARGEST);
    double m[LARGEST * LARGEST], copy[LARGEST * LARGEST], vectors[LARGEST * LARGEST], real[LARGEST], imaginary[LARGEST];
    random_fill_gaussian(m, (size_t)(size * size), 0.25, &r);
    memcpy(copy, m, sizeof copy);
    assert_int_equal(
        LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', size, copy, size, real, imaginary, NULL, size, vectors, size), 0);
    for (int e = 0; e < size; e++) {
      double vector[LARGEST];
      if (imaginary[e] != 0) continue;
      for (int i = 0; i < size; i++) vector[i] = vectors[i * size + e];
      tried++;
      if (!verify(&lambda, m, size, 0.0, real[e], vector)) continue;
      verified++;
      assert_true(interval_relation_contains(&lambda, real[e]) ||
                  fabs(real[e] - mpfr_get_d(lambda.lo, MPFR_RNDN)) < 1e-10);
      assert_brackets(&lambda, m, size);
    }
  }
  assert_true(tried > 300 && verified >= tried - 2); /* Gaussian matrices have simple eigenvalues */
  interval_clear(&lambda);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known),           cmocka_unit_test(not_verified),    cmocka_unit_test(nearly_double),
      cmocka_unit_test(interval_matrix), cmocka_unit_test(random_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
