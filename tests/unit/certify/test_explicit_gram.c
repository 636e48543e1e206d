/* The Gram matrix in MPFR and its certified largest eigenvalue, for Jacobians that are known: a single token has J = V. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "certify/explicit_gram.h"
#include "certify/rounding.h"
#include "kernel_case.h"
#include "known_spectrum.h"

enum { PRECISION = 100 };

static attcert_options options_with(int threads) {
  attcert_options options;
  attcert_options_default(&options);
  options.threads = threads;
  return options;
}

typedef struct {
  layer_case c;
  layer_enclosure e;
  explicit_jacobian j;
  explicit_gram g;
} setting;

static void evaluate(setting *s, int threads) {
  const attcert_options options = options_with(threads);
  assert_int_equal(layer_enclosure_init(&s->e, &s->c.layer, &s->c.x, PRECISION, 1, NULL), ATTCERT_OK);
  assert_int_equal(explicit_jacobian_init(&s->j, &s->c.layer, &s->e, 1, NULL), ATTCERT_OK);
  assert_int_equal(explicit_gram_init(&s->g, &s->j, PRECISION, &options, NULL), ATTCERT_OK);
}

/* J = v (rows x cols) exactly. */
static void setting_of_value(setting *s, const double *v, int rows, int cols) {
  const layer_shape shape = {.n = 1, .dim = cols, .heads = 1, .head_dim = rows};
  layer_case_init_zero(&s->c, &shape);
  for (int i = 0; i < rows * cols; i++) s->c.layer.value_weight[i] = v[i];
  evaluate(s, 1);
}

static void setting_clear(setting *s) {
  explicit_gram_clear(&s->g);
  explicit_jacobian_clear(&s->j);
  layer_enclosure_clear(&s->e);
  layer_case_clear(&s->c);
}

static double entry(const explicit_gram *g, int i, int j) {
  return mpfr_get_d(g->g[i * (i + 1) / 2 + j].v, MPFR_RNDN);
}

/* ---- the matrix --------------------------------------------------------------------------------------------------- */

/* The side with fewer rows is taken: 2 x 3 and its transpose give the same 2 x 2 matrix, exactly here. */
static void test_smaller_side(void **state) {
  (void)state;
  const double wide[] = {1, 2, 3, 4, 5, 6}, tall[] = {1, 4, 2, 5, 3, 6};
  const double *const v[] = {wide, tall};
  for (int t = 0; t < 2; t++) {
    setting s;
    setting_of_value(&s, v[t], t ? 3 : 2, t ? 2 : 3);
    assert_int_equal(s.g.n, 2);
    assert_true(entry(&s.g, 0, 0) == 14 && entry(&s.g, 1, 0) == 32 && entry(&s.g, 1, 1) == 77);
    /* inner products of 3, ||J||_F^2 = 91 */
    assert_true(mpfr_cmp_d(s.g.error, ldexp(3 * 91, -PRECISION)) >= 0);
    assert_true(mpfr_cmp_d(s.g.error, ldexp(5 * 91, -PRECISION)) <= 0);
    setting_clear(&s);
  }
}

/* Against the same sums in double, on layers of every kind. */
static void test_layers(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index += 3) {
    kernel_case c;
    setting s;
    kernel_case_init(&c, index);
    layer_case_copy(&s.c, &c.input);
    evaluate(&s, 1 + index % 3);
    double *const a = kernel_case_jacobian(&c);
    const int rows = s.j.rows, cols = s.j.cols, inner = rows <= cols ? cols : rows;
    for (int i = 0; i < s.g.n; i++)
      for (int j = 0; j <= i; j++) {
        double sum = 0, size = 1e-3;
        for (int l = 0; l < inner; l++) {
          const double x = rows <= cols ? a[i * cols + l] : a[l * cols + i];
          const double y = rows <= cols ? a[j * cols + l] : a[l * cols + j];
          sum += x * y;
          size += fabs(x * y);
        }
        assert_true(fabs(entry(&s.g, i, j) - sum) <= 1e-11 * size);
      }
    free(a);
    setting_clear(&s);
    kernel_case_clear(&c);
  }
}

/* ---- the bound ---------------------------------------------------------------------------------------------------- */

/* 49, the largest eigenvalue of V V^T for a symmetric V with the spectrum, is bounded from above, by at most `limit`. */
static void check_guess(const setting *s, double guess, double slack, double limit) {
  const attcert_options options = options_with(2);
  mpfr_t upper, start;
  mpfr_inits2(PRECISION, upper, start, (mpfr_ptr)NULL);
  mpfr_set_d(start, guess, MPFR_RNDN);
  assert_int_equal(explicit_gram_upper(upper, &s->g, start, slack, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp_d(upper, KNOWN_LARGEST * KNOWN_LARGEST) >= 0);
  if (!(mpfr_cmp_d(upper, limit) <= 0)) fail_msg("guess %a: %g", guess, mpfr_get_d(upper, MPFR_RNDU));
  mpfr_clears(upper, start, (mpfr_ptr)NULL);
}

/* A good guess costs the slack; a low one is raised until the factorisation succeeds; a bad one falls back to the trace. */
static void test_known_spectra(void **state) {
  (void)state;
  enum { SIDE = 21 };
  const double square = KNOWN_LARGEST * KNOWN_LARGEST;
  double v[SIDE * SIDE];
  for (int family = 0; family < KNOWN_SPECTRA; family++) {
    setting s;
    known_spectrum_matrix(v, SIDE, KNOWN_SPECTRUM[family]);
    setting_of_value(&s, v, SIDE, SIDE);
    double trace = 0;
    for (int i = 0; i < SIDE; i++) trace += entry(&s.g, i, i);
    trace *= 1 + 1e-15;
    check_guess(&s, square, 1e-14, square * (1 + 1e-13));
    check_guess(&s, square, 0x1p-80, square * (1 + 1e-14));
    check_guess(&s, square * (1 - 1e-6), 1e-14, square * (1 + 2e-5));
    check_guess(&s, square * 1e-3, 1e-14, fmin(trace, 17 * square));
    check_guess(&s, square * 1e6, 1e-14, trace);
    check_guess(&s, 0, 1e-14, trace);
    check_guess(&s, -1, 1e-14, trace);
    setting_clear(&s);
  }
}

static void test_zero(void **state) {
  (void)state;
  const double zero[6] = {0};
  setting s;
  mpfr_t upper;
  mpfr_init2(upper, 53);
  setting_of_value(&s, zero, 2, 3);
  const attcert_options options = options_with(1);
  mpfr_set_zero(upper, 1);
  assert_true(mpfr_zero_p(s.g.error));
  assert_int_equal(explicit_gram_upper(upper, &s.g, upper, 1e-14, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_zero_p(upper));
  mpfr_clear(upper);
  setting_clear(&s);
}

/* ---- a residual that rounding hides ------------------------------------------------------------------------------- */

enum { ARROW = 64, ARROW_PRECISION = 53 };

/* M = 2 I - G has 1 on the diagonal but for a last 1 + 2^-52, and the last column 2^-27, ..., 2^-27, 1. In 53 bits the squares 2^-54
 * are lost when they are taken from the last pivot one by one, so Cholesky succeeds with nothing left over. */
static void arrow_init(explicit_gram *g) {
  *g = (explicit_gram){.n = ARROW, .precision = ARROW_PRECISION, .g = point_vec_new(ARROW * (ARROW + 1) / 2, 53)};
  assert_non_null(g->g);
  mpfr_init2(g->error, 64);
  mpfr_set_zero(g->error, 1);
  for (int i = 0; i < ARROW; i++)
    for (int j = 0; j <= i; j++) {
      const double corner = j < i ? -0x1p-27 : 1 - 0x1p-52, beside = j == i - 1 ? -1 : corner;
      const double value = i < ARROW - 1 ? i == j : beside;
      mpfr_set_d(g->g[i * (i + 1) / 2 + j].v, value, MPFR_RNDN);
    }
}

/* The largest eigenvalue of G: 1 - t / 2 + sqrt(t^2 / 4 + |c|^2), t = 2^-52, |c|^2 = 1 + (n - 2) 2^-54, rounded down. */
static void arrow_eigenvalue(mpfr_t value) {
  mpfr_set_ui_2exp(value, ARROW - 2, -54, MPFR_RNDD);
  mpfr_add_ui(value, value, 1, MPFR_RNDD);
  mpfr_add_d(value, value, 0x1p-106, MPFR_RNDD);
  mpfr_sqrt(value, value, MPFR_RNDD);
  mpfr_add_ui(value, value, 1, MPFR_RNDD);
  mpfr_sub_d(value, value, 0x1p-53, MPFR_RNDD);
}

static void test_hidden_residual(void **state) {
  (void)state;
  const attcert_options options = options_with(1);
  explicit_gram g;
  mpfr_t upper, truth, guess;
  mpfr_inits2(200, upper, truth, guess, (mpfr_ptr)NULL);
  arrow_init(&g);
  arrow_eigenvalue(truth);
  assert_true(mpfr_cmp_ui(truth, 2) > 0);
  mpfr_set_ui(guess, 2, MPFR_RNDN);
  assert_int_equal(explicit_gram_upper(upper, &g, guess, 0, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp(upper, truth) >= 0);
  assert_true(mpfr_cmp_d(upper, 2 * (1 + 1e-12)) <= 0); /* the factorisation did succeed */
  explicit_gram_clear(&g);
  mpfr_clears(upper, truth, guess, (mpfr_ptr)NULL);
}

/* ---- to double ---------------------------------------------------------------------------------------------------- */

/* | a - 2^-exponent g | <= u |a|, of one entry. */
static bool is_nearest(double a, const point *g, long exponent) {
  mpfr_t difference;
  mpfr_init2(difference, PRECISION);
  mpfr_mul_2si(difference, g->v, -exponent, MPFR_RNDN);
  mpfr_sub_d(difference, difference, a, MPFR_RNDN); /* exact: few bits are left */
  const bool nearest =
      mpfr_cmp_d(difference, UNIT_ROUNDOFF * fabs(a)) <= 0 && mpfr_cmp_d(difference, -UNIT_ROUNDOFF * fabs(a)) >= 0;
  mpfr_clear(difference);
  return nearest;
}

/* Entries at most 1, symmetric, rounded to nearest, and an error of about u times the norm. */
static void check_to_double(double scale) {
  enum { SIDE = 9 };
  double v[SIDE * SIDE], a[SIDE * SIDE], error, largest = 0, squares = 0;
  long exponent;
  setting s;
  known_spectrum_matrix(v, SIDE, spectrum_clustered);
  for (int i = 0; i < SIDE * SIDE; i++) v[i] *= scale;
  setting_of_value(&s, v, SIDE, SIDE);
  explicit_gram_to_double(a, &exponent, &error, &s.g);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j <= i; j++) {
      const double x = a[i * SIDE + j];
      assert_true(x == a[j * SIDE + i]);
      assert_true(is_nearest(x, &s.g.g[i * (i + 1) / 2 + j], exponent));
      largest = fmax(largest, fabs(x));
      squares += (i == j ? 1 : 2) * x * x;
    }
  assert_true(largest <= 1 && largest >= 0.25);
  assert_true(error >= UNIT_ROUNDOFF * sqrt(squares) && error <= 1.01 * UNIT_ROUNDOFF * sqrt(squares));
  setting_clear(&s);
}

static void test_to_double(void **state) {
  (void)state;
  check_to_double(1);
  check_to_double(0x1p600);
  check_to_double(0x1p-700);
}

static void test_bytes(void **state) {
  (void)state;
  const attcert_layer wide = {.dim = 5, .heads = 2, .head_dim = 3, .out_dim = 6};
  const attcert_layer tall = {.dim = 6, .heads = 1, .head_dim = 5, .out_dim = 5};
  const uint64_t packed = 35 * 36 / 2;
  for (mpfr_prec_t precision = 53; precision < 5000; precision *= 4) {
    assert_true(explicit_gram_bytes(&wide, 7, precision) >= 2 * point_vec_bytes(packed, precision));
    assert_true(explicit_gram_bytes(&tall, 7, precision) == explicit_gram_bytes(&wide, 7, precision));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_smaller_side), cmocka_unit_test(test_layers),          cmocka_unit_test(test_known_spectra),
      cmocka_unit_test(test_zero),         cmocka_unit_test(test_hidden_residual), cmocka_unit_test(test_to_double),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
