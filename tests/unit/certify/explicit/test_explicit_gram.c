/* The Gram matrix in integers and its certified largest eigenvalue, for Jacobians that are known: a single token has J
 * = V. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "certify/explicit/explicit_gram.h"
#include "certify/explicit/explicit_jacobian_init.h"
#include "kernel_case.h"
#include "known_spectrum.h"
#include "linalg/exact/fixed_matrix_round.h"
#include "linalg/rounding/rounding.h"
#include "random_mpz.h"

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
  assert_int_equal(explicit_gram_init(&s->g, &s->j, &options, NULL), ATTCERT_OK);
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

/* x := entry (i, j), rounded to x's precision. */
static void get_entry(mpfr_ptr x, const explicit_gram *g, int i, int j) {
  mpz_t integer;
  mpz_init(integer);
  fixed_matrix_get(integer, &g->g, explicit_gram_index(i, j), 0);
  mpfr_set_z_2exp(x, integer, g->g.exponent, MPFR_RNDN);
  mpz_clear(integer);
}

static double entry(const explicit_gram *g, int i, int j) {
  mpfr_t x;
  mpfr_init2(x, 53);
  get_entry(x, g, i, j);
  const double value = mpfr_get_d(x, MPFR_RNDN);
  mpfr_clear(x);
  return value;
}

/* ---- the matrix -------------------------------------------------------------------------------------------------- */

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
    assert_true(mpfr_zero_p(s.g.error)); /* nothing was rounded */
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

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

enum { FINE = 700 }; /* bits in which everything here is exact, or nearly */

/* Entries of 300 bits and of many magnitudes, the largest in [2^(scale - 1), 2^scale). */
static void random_jacobian(explicit_jacobian *j, int rows, int cols, long scale, random_source *r) {
  *j = (explicit_jacobian){.rows = rows, .cols = cols, .mid = point_vec_new((size_t)(rows * cols), 300)};
  assert_non_null(j->mid);
  mpfr_init2(j->radius, 64);
  mpz_t x;
  mpz_init(x);
  for (int i = 0; i < rows * cols; i++) {
    do random_mpz(x, 300, r);
    while (i == 0 && mpz_sizeinbase(x, 2) < 300);
    mpfr_set_z_2exp(j->mid[i].v, x, scale - 300, MPFR_RNDN);
  }
  mpz_clear(x);
}

/* distance := ||G~ - A A^T||_F, norm := ||A||_F. */
static void gram_distance(mpfr_ptr distance, mpfr_ptr norm, const explicit_gram *g, const explicit_jacobian *j) {
  const int inner = j->rows <= j->cols ? j->cols : j->rows, row = inner == j->cols ? j->cols : 1,
            step = inner == j->cols ? 1 : j->cols;
  mpfr_t x, t;
  mpfr_inits2(FINE, x, t, (mpfr_ptr)NULL);
  mpfr_set_zero(distance, 1);
  mpfr_set_zero(norm, 1);
  for (int i = 0; i < g->n; i++)
    for (int k = 0; k <= i; k++) {
      get_entry(x, g, i, k);
      for (int c = 0; c < inner; c++) {
        mpfr_mul(t, j->mid[i * row + c * step].v, j->mid[k * row + c * step].v, MPFR_RNDN);
        mpfr_sub(x, x, t, MPFR_RNDN);
        if (i == k) mpfr_add(norm, norm, t, MPFR_RNDN);
      }
      mpfr_sqr(x, x, MPFR_RNDN);
      mpfr_mul_ui(x, x, i == k ? 1 : 2, MPFR_RNDN);
      mpfr_add(distance, distance, x, MPFR_RNDN);
    }
  mpfr_sqrt(distance, distance, MPFR_RNDN);
  mpfr_sqrt(norm, norm, MPFR_RNDN);
  mpfr_clears(x, t, (mpfr_ptr)NULL);
}

/* ||G~ - A A^T||_F <= error <= 2^-p max |a_ij| ||A||_F / sqrt(m) <= 2^-p ||A||_2^2; returns the distance by the
 * error. */
static double check_error(const explicit_jacobian *j) {
  const attcert_options options = options_with(2);
  explicit_gram g;
  mpfr_t distance, norm;
  mpfr_inits2(FINE, distance, norm, (mpfr_ptr)NULL);
  assert_int_equal(explicit_gram_init(&g, j, &options, NULL), ATTCERT_OK);
  gram_distance(distance, norm, &g, j);
  assert_true(mpfr_lessequal_p(distance, g.error));
  mpfr_div(distance, distance, g.error, MPFR_RNDN);
  const double ratio = mpfr_get_d(distance, MPFR_RNDN);
  mpfr_mul(norm, norm, j->mid[0].v, MPFR_RNDN); /* the largest */
  mpfr_abs(norm, norm, MPFR_RNDN);
  mpfr_div_2ui(norm, norm, EXPLICIT_GRAM_PRECISION, MPFR_RNDN);
  mpfr_div_d(norm, norm, sqrt(g.n) * (1 - 1e-15), MPFR_RNDN);
  assert_true(mpfr_lessequal_p(g.error, norm));
  explicit_gram_clear(&g);
  mpfr_clears(distance, norm, (mpfr_ptr)NULL);
  return ratio;
}

static void test_error(void **state) {
  (void)state;
  static const int shapes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 3}, {17, 16}, {33, 40}};
  static const long scales[] = {0, 900, -900, 1L << 27, -(1L << 27)};
  for (int shape = 0; shape < 6; shape++)
    for (int scale = 0; scale < 5; scale++) {
      random_source r = random_source_make(81, (uint64_t)shape, (uint64_t)scale);
      explicit_jacobian j;
      random_jacobian(&j, shapes[shape][0], shapes[shape][1], scales[scale], &r);
      assert_true(check_error(&j) > 0);
      explicit_jacobian_clear(&j);
    }
}

/* One entry half a unit below a multiple of it: the error is attained, but for its last term. */
static void test_error_is_attained(void **state) {
  (void)state;
  const attcert_options options = options_with(1);
  random_source r = random_source_make(82, 0, 0);
  explicit_jacobian j;
  explicit_gram g;
  random_jacobian(&j, 1, 1, 0, &r);
  assert_int_equal(explicit_gram_init(&g, &j, &options, NULL), ATTCERT_OK);
  mpfr_set_ui_2exp(j.mid[0].v, 1, g.g.exponent / 2 - 1, MPFR_RNDN);
  mpfr_ui_sub(j.mid[0].v, 1, j.mid[0].v, MPFR_RNDN);
  assert_true(check_error(&j) > 1 - 1e-15);
  explicit_gram_clear(&g);
  explicit_jacobian_clear(&j);
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

/* 49, the largest eigenvalue of V V^T for a symmetric V with the spectrum, is bounded from above, by at most
 * `limit`. */
static void check_guess(const setting *s, double guess, double slack, double limit) {
  const attcert_options options = options_with(2);
  mpfr_t upper, start;
  mpfr_inits2(PRECISION, upper, start, (mpfr_ptr)NULL);
  mpfr_set_d(start, guess, MPFR_RNDN);
  assert_int_equal(explicit_gram_upper(upper, &s->g, start, slack, NULL, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp_d(upper, KNOWN_LARGEST * KNOWN_LARGEST) >= 0);
  if (!(mpfr_cmp_d(upper, limit) <= 0)) fail_msg("guess %a: %g", guess, mpfr_get_d(upper, MPFR_RNDU));
  mpfr_clears(upper, start, (mpfr_ptr)NULL);
}

/* A good guess costs the slack; a low one is raised until the factorisation succeeds; a bad one falls back to the
 * trace. */
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
  assert_int_equal(explicit_gram_upper(upper, &s.g, upper, 1e-14, NULL, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_zero_p(upper));
  mpfr_clear(upper);
  setting_clear(&s);
}

/* A~ is shorter than A: both bounds, from the trace and from a factor just above lambda_max(G~), allow for it. */
static void test_error_is_added(void **state) {
  (void)state;
  const attcert_options options = options_with(1);
  random_source r = random_source_make(83, 0, 0);
  explicit_jacobian j;
  explicit_gram g;
  mpfr_t upper, guess, truth;
  mpfr_inits2(FINE, upper, guess, truth, (mpfr_ptr)NULL);
  random_jacobian(&j, 1, 1, 0, &r);
  assert_int_equal(explicit_gram_init(&g, &j, &options, NULL), ATTCERT_OK);
  mpfr_set_d(j.mid[0].v, 0.499, MPFR_RNDN);
  mpfr_mul_2si(j.mid[0].v, j.mid[0].v, g.g.exponent / 2, MPFR_RNDN);
  mpfr_add_d(j.mid[0].v, j.mid[0].v, 0.5, MPFR_RNDN);
  explicit_gram_clear(&g);
  assert_int_equal(explicit_gram_init(&g, &j, &options, NULL), ATTCERT_OK);
  get_entry(guess, &g, 0, 0);
  mpfr_sqr(truth, j.mid[0].v, MPFR_RNDD);
  assert_true(mpfr_less_p(guess, truth));
  for (int factor = 0; factor < 2; factor++) {
    if (factor == 0) mpfr_neg(guess, guess, MPFR_RNDN);
    assert_int_equal(explicit_gram_upper(upper, &g, guess, 0x1p-120, NULL, &options, NULL), ATTCERT_OK);
    assert_true(mpfr_greaterequal_p(upper, truth));
    mpfr_abs(guess, guess, MPFR_RNDN);
  }
  explicit_gram_clear(&g);
  explicit_jacobian_clear(&j);
  mpfr_clears(upper, guess, truth, (mpfr_ptr)NULL);
}

/* G = [3 -1; -1 2] in units of 1, with lambda_max = (5 + sqrt 5) / 2: the factor found for tau^2 = 3.5 is that of 4 I -
 * G, with no remainder. */
static void test_tau_between_units(void **state) {
  (void)state;
  static const int entries[] = {3, -1, 2};
  const attcert_options options = options_with(1);
  explicit_gram g = {.n = 2};
  mpfr_t x, upper;
  mpfr_inits2(53, x, upper, (mpfr_ptr)NULL);
  mpfr_init2(g.error, 64);
  mpfr_set_zero(g.error, 1);
  assert_true(fixed_matrix_init(&g.g, 3, 1, 2, 0));
  for (size_t i = 0; i < 3; i++) {
    mpfr_set_si(x, entries[i], MPFR_RNDN);
    assert_int_equal(fixed_matrix_round(&g.g, i, 0, x), FIXED_EXACT);
  }
  mpfr_set_d(x, 3.5, MPFR_RNDN);
  assert_int_equal(explicit_gram_upper(upper, &g, x, 0, NULL, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp_d(upper, 3.6180339887498949) >= 0 && mpfr_cmp_d(upper, 5) < 0);
  explicit_gram_clear(&g);
  mpfr_clears(x, upper, (mpfr_ptr)NULL);
}

/* ---- a residual that rounding hides ------------------------------------------------------------------------------ */

enum { ARROW = 64 };

/* M = 2 I - G has 1 on the diagonal but for a last 1 + 2^-52, and the last column c, ..., c, 1 with c just below 2^-27.
 * Where L has units of 2^-26 the entries c / 1 are rounded to 0 and their squares are missing from the last pivot, so
 * Cholesky succeeds although M has a negative eigenvalue. */
static const double CORNER = 0x1p-27 - 0x1p-52;

static void arrow_init(explicit_gram *g) {
  *g = (explicit_gram){.n = ARROW};
  assert_true(fixed_matrix_init(&g->g, explicit_gram_index(ARROW, 0), 1, 2, -52));
  mpfr_t x;
  mpfr_init2(x, 53);
  mpfr_init2(g->error, 64);
  mpfr_set_zero(g->error, 1);
  for (int i = 0; i < ARROW; i++)
    for (int j = 0; j <= i; j++) {
      const double corner = j < i ? -CORNER : 1 - 0x1p-52, beside = j == i - 1 ? -1 : corner;
      mpfr_set_d(x, i < ARROW - 1 ? i == j : beside, MPFR_RNDN);
      assert_int_equal(fixed_matrix_round(&g->g, explicit_gram_index(i, j), 0, x), FIXED_EXACT);
    }
  mpfr_clear(x);
}

/* The largest eigenvalue of G: 1 - t / 2 + sqrt(t^2 / 4 + |c|^2), t = 2^-52, |c|^2 = 1 + (n - 2) CORNER^2, rounded
 * down. */
static void arrow_eigenvalue(mpfr_t value) {
  mpfr_set_d(value, CORNER, MPFR_RNDD);
  mpfr_sqr(value, value, MPFR_RNDD);
  mpfr_mul_ui(value, value, ARROW - 2, MPFR_RNDD);
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
  assert_int_equal(explicit_gram_upper(upper, &g, guess, 0, NULL, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp(upper, truth) >= 0);
  assert_true(mpfr_cmp_d(upper, 2 * (1 + 1e-6)) <= 0); /* the factorisation did succeed */
  explicit_gram_clear(&g);
  mpfr_clears(upper, truth, guess, (mpfr_ptr)NULL);
}

/* ---- to double --------------------------------------------------------------------------------------------------- */

/* | a - 2^-exponent g | <= u |a|, of one entry. */
static bool is_nearest(double a, const explicit_gram *g, int i, int j, long exponent) {
  mpfr_t difference;
  mpfr_init2(difference, FINE);
  get_entry(difference, g, i, j);
  mpfr_mul_2si(difference, difference, -exponent, MPFR_RNDN);
  mpfr_sub_d(difference, difference, a, MPFR_RNDN);
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
      assert_true(is_nearest(x, &s.g, i, j, exponent));
      largest = fmax(largest, fabs(x));
      squares += (i == j ? 1 : 2) * x * x;
    }
  assert_true(largest <= 1 && largest >= 0.25);
  const double rounding = UNIT_ROUNDOFF * sqrt(squares);
  assert_true(error >= rounding && error <= 1.01 * rounding);
  mpfr_set_ui_2exp(s.g.error, 1, exponent - 54, MPFR_RNDN);
  explicit_gram_to_double(a, &exponent, &error, &s.g);
  assert_true(error >= rounding + 0x1p-54 && error <= 1.01 * (rounding + 0x1p-54));
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
  const uint64_t least = fixed_matrix_bytes(35 * 36 / 2, 1, 2) + fixed_matrix_bytes(35, 42, 1);
  assert_true(explicit_gram_bytes(&wide, 7) >= least && explicit_gram_bytes(&wide, 7) <= 4 * least);
  assert_true(explicit_gram_bytes(&tall, 7) == explicit_gram_bytes(&wide, 7));
  const attcert_layer vast = {.dim = 1 << 15, .heads = 1, .head_dim = 1 << 15, .out_dim = 1 << 15};
  assert_true(explicit_gram_bytes(&vast, 1 << 15) == UINT64_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_smaller_side),    cmocka_unit_test(test_layers),
      cmocka_unit_test(test_error),           cmocka_unit_test(test_error_is_attained),
      cmocka_unit_test(test_error_is_added),  cmocka_unit_test(test_tau_between_units),
      cmocka_unit_test(test_known_spectra),   cmocka_unit_test(test_zero),
      cmocka_unit_test(test_hidden_residual), cmocka_unit_test(test_to_double),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
