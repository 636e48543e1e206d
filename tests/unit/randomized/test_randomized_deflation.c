/* A direction taken out of a matrix: the bounds of what it is are above the exact numbers, what subtracting it rounds
 * is within what is said, and the end for the whole matrix is above its largest eigenvalue, which is known, whatever
 * the direction; close to it where the direction is. */
#include "randomized/randomized_deflation.h"

#include "known_spectrum.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 48, BITS = 1200 };

static double g[SIDE * SIDE];

/* sum_k x_k y_k. */
static void exact_product(mpfr_ptr sum, mpfr_t *x, mpfr_t *y) {
  mpfr_t term;
  mpfr_init2(term, BITS);
  mpfr_set_zero(sum, 1);
  for (int k = 0; k < SIDE; k++) {
    mpfr_mul(term, x[k], y[k], MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  }
  mpfr_clear(term);
}

/* ||v||^2, <v, A v> and ||A v|| for A = G - sigma v v^T. */
static void exact_numbers(double number[3], const randomized_deflation *d) {
  mpfr_t v[SIDE], row[SIDE], r[SIDE], sum, term;
  mpfr_inits2(BITS, sum, term, (mpfr_ptr)NULL);
  for (int i = 0; i < SIDE; i++) {
    mpfr_inits2(BITS, v[i], row[i], r[i], (mpfr_ptr)NULL);
    mpfr_set_d(v[i], d->v[i], MPFR_RNDN);
  }
  exact_product(sum, v, v);
  number[0] = mpfr_get_d(sum, MPFR_RNDD);
  mpfr_mul_d(sum, sum, d->sigma, MPFR_RNDN);
  for (int i = 0; i < SIDE; i++) {
    for (int k = 0; k < SIDE; k++) mpfr_set_d(row[k], g[i * SIDE + k], MPFR_RNDN);
    exact_product(r[i], row, v);
    mpfr_mul(term, sum, v[i], MPFR_RNDN);
    mpfr_sub(r[i], r[i], term, MPFR_RNDN);
  }
  exact_product(term, v, r);
  number[1] = mpfr_get_d(term, MPFR_RNDD);
  exact_product(term, r, r);
  mpfr_sqrt(term, term, MPFR_RNDN);
  number[2] = mpfr_get_d(term, MPFR_RNDD);
  for (int i = 0; i < SIDE; i++) mpfr_clears(v[i], row[i], r[i], (mpfr_ptr)NULL);
  mpfr_clears(sum, term, (mpfr_ptr)NULL);
}

static double product_error(void) {
  return gamma_upper(SIDE) * known_spectrum_row_sum(g, SIDE);
}

/* The top eigenvector and `noise` of another vector, of unit length, and what is known of it. */
static void find(randomized_deflation *d, double *v, double noise) {
  double vectors[SIDE * SIDE], values[SIDE], image[SIDE];
  memcpy(vectors, g, sizeof vectors);
  assert_int_equal(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'V', 'U', SIDE, vectors, SIDE, values), 0);
  for (int i = 0; i < SIDE; i++) v[i] = vectors[i * SIDE + SIDE - 1] + noise * cos(3.0 * i * i) / sqrt(SIDE);
  cblas_dscal(SIDE, 1.0 / cblas_dnrm2(SIDE, v, 1), v, 1);
  *d = (randomized_deflation){.v = v, .length = SIDE};
  cblas_dgemv(CblasRowMajor, CblasNoTrans, SIDE, SIDE, 1.0, g, SIDE, v, 1, 0.0, image, 1);
  randomized_deflation_find(d, image, product_error());
}

/* The largest eigenvalue of A, from above. */
static double largest_left(const randomized_deflation *d) {
  double a[SIDE * SIDE], values[SIDE];
  memcpy(a, g, sizeof a);
  cblas_dger(CblasRowMajor, SIDE, SIDE, -d->sigma, d->v, 1, d->v, 1, a, SIDE);
  assert_int_equal(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', SIDE, a, SIDE, values), 0);
  return values[SIDE - 1] + 1e-12;
}

static const double NOISE[] = {0.0, 1e-9, 1e-5, 1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0};
enum { NOISES = sizeof NOISE / sizeof NOISE[0] };

static void test_numbers(void **state) {
  (void)state;
  for (int kind = 0; kind < KNOWN_SPECTRA; kind++) {
    known_spectrum_matrix(g, SIDE, KNOWN_SPECTRUM[kind]);
    for (int i = 0; i < NOISES; i++) {
      double v[SIDE], number[3];
      randomized_deflation d;
      find(&d, v, NOISE[i]);
      if (d.sigma == 0.0) continue; /* a negative quotient, of the indefinite one */
      exact_numbers(number, &d);
      assert_true(number[0] <= d.square && d.square <= 1.0 + 1e-12);
      assert_true(number[1] <= d.product && d.product <= fmax(number[1], 0.0) + 1e-11);
      assert_true(number[2] <= d.residual && d.residual <= number[2] + 1e-11);
    }
  }
}

static void test_subtraction(void **state) {
  double v[SIDE], w[SIDE], image[SIDE], before[SIDE];
  randomized_deflation d;
  (void)state;
  known_spectrum_matrix(g, SIDE, spectrum_single);
  find(&d, v, 0.1);
  for (int i = 0; i < SIDE; i++) {
    w[i] = sin(7.0 * i);
    before[i] = image[i] = cos(5.0 * i);
  }
  const double off = randomized_deflation_subtract(&d, image, w, norm_upper(w, SIDE));
  long double inner = 0.0L, squared = 0.0L;
  for (int i = 0; i < SIDE; i++) inner += (long double)v[i] * (long double)w[i];
  for (int i = 0; i < SIDE; i++) {
    const long double exact = (long double)before[i] - (long double)d.sigma * inner * (long double)v[i];
    squared += ((long double)image[i] - exact) * ((long double)image[i] - exact);
  }
  assert_true(squared > 0.0L && squared <= (long double)off * (long double)off);
  assert_true(off < 1e-12);
}

static void test_end(void **state) {
  (void)state;
  for (int kind = 0; kind < KNOWN_SPECTRA; kind++) {
    known_spectrum_matrix(g, SIDE, KNOWN_SPECTRUM[kind]);
    for (int i = 0; i < NOISES; i++) {
      double v[SIDE];
      randomized_deflation d;
      find(&d, v, NOISE[i]);
      const double mu = largest_left(&d), end = randomized_deflation_end(&d, mu);
      if (!(end >= KNOWN_LARGEST)) fail_msg("kind %d, noise %g: 7 - %g", kind, NOISE[i], KNOWN_LARGEST - end);
      if (kind == 0 && NOISE[i] <= 1e-2 && !(end <= KNOWN_LARGEST * (1.0 + 1e-9 + NOISE[i] * NOISE[i])))
        fail_msg("noise %g: 7 + %g", NOISE[i], end - KNOWN_LARGEST);
      /* An end that is asked for. */
      const double back = randomized_deflation_mu(&d, end * (1.0 + 0x1p-30));
      if (!(back >= mu - 0x1p-19 * (end - mu) - 1e-11)) fail_msg("kind %d, noise %g: %g", kind, NOISE[i], mu - back);
      assert_true(randomized_deflation_end(&d, back) <= end * (1.0 + 0x1p-20) + 0x1p-5 * fabs(end - d.sigma));
      assert_true(isinf(randomized_deflation_mu(&d, 0.5 * d.sigma)) || d.sigma == 0.0);
      assert_true(isinf(randomized_deflation_end(&d, INFINITY)));
    }
  }
}

/* The theorem itself where it is sharp: a 2 x 2 matrix, of which all is known. */
static void test_sharp(void **state) {
  (void)state;
  for (int i = 1; i < 40; i++) {
    /* A = (0 r; r m), v = e_1: G = A + sigma v v^T. */
    const double sigma = 1.0, m = 0.02 * i, r = 0.3 / i;
    double v[2] = {1.0, 0.0};
    const randomized_deflation d = {.v = v, .length = 2, .sigma = sigma, .square = 1.0, .product = 0.0, .residual = r};
    const double mu = 0.5 * (m + sqrt(m * m + 4.0 * r * r)), middle = 0.5 * (sigma + m);
    const double largest = middle + sqrt((sigma - m) * (sigma - m) / 4.0 + r * r);
    const double end = randomized_deflation_end(&d, mu * (1.0 + 0x1p-50));
    assert_true(end >= largest);
    assert_true(end <= sigma + (1.0 + 0x1p-5) * r * r / (sigma - mu));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_subtraction),
      cmocka_unit_test(test_end),
      cmocka_unit_test(test_sharp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
