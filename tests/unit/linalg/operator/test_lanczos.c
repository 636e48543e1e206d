/* lanczos_top proposes a unit vector with ||A v|| = sigma, and finds the norm where it is known: clusters, repeated and
 * rectangular included. It certifies nothing, so what is asked is quality. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/uniform.h"
#include "known_spectrum.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/lanczos.h"

enum { MAX_SIDE = 700 };

static double length(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* sigma; vector has op->cols entries. Checks what holds for every operator. */
static double top_of(double *vector, const linear_operator *op) {
  double sigma = NAN, image[MAX_SIDE];
  assert_int_equal(lanczos_top(vector, &sigma, op, NULL, NULL), ATTCERT_OK);
  assert_true(fabs(length(vector, op->cols) - 1) <= 1e-12);
  op->apply(op->context, image, vector, false);
  assert_true(fabs(length(image, op->rows) - sigma) <= 1e-13 * sigma);
  return sigma;
}

/* diag(d_0, d_1, ...) without forming it. */
static void apply_diagonal(const void *context, double *y, const double *x, bool transpose) {
  (void)transpose;
  const double *const d = context;
  for (int i = 0; i < MAX_SIDE; i++) y[i] = d[i] * x[i];
}

static void check_diagonal(const double *d, double largest) {
  const linear_operator op = {MAX_SIDE, MAX_SIDE, apply_diagonal, d};
  double v[MAX_SIDE];
  const double sigma = top_of(v, &op);
  assert_true(fabs(sigma - largest) <= 1e-12 * largest);
}

static void test_diagonals(void **state) {
  (void)state;
  double spread[MAX_SIDE], clustered[MAX_SIDE], repeated[MAX_SIDE], lone[MAX_SIDE];
  for (int i = 0; i < MAX_SIDE; i++) {
    spread[i] = i + 1;
    clustered[i] = i < 20 ? 2 - i * 1e-9 : 1 / (1.0 + i);
    repeated[i] = i % 2 ? 3 : -3;
    lone[i] = i == 400;
  }
  check_diagonal(spread, MAX_SIDE);
  check_diagonal(clustered, 2);
  check_diagonal(repeated, 3);
  check_diagonal(lone, 1);
}

/* With a gap the vector is the singular vector. */
static void test_vector(void **state) {
  (void)state;
  double d[MAX_SIDE], v[MAX_SIDE];
  for (int i = 0; i < MAX_SIDE; i++) d[i] = i == 123 ? 10 : 1 + 1.0 / (i + 1);
  const linear_operator op = {MAX_SIDE, MAX_SIDE, apply_diagonal, d};
  top_of(v, &op);
  assert_true(fabs(fabs(v[123]) - 1) <= 1e-12);
}

static void test_known_spectra(void **state) {
  (void)state;
  enum { SIDE = 64 };
  double a[SIDE * SIDE], v[SIDE];
  for (int family = 0; family < KNOWN_SPECTRA; family++) {
    known_spectrum_matrix(a, SIDE, KNOWN_SPECTRUM[family]);
    const dense_matrix matrix = {a, SIDE, SIDE};
    const linear_operator op = dense_matrix_operator(&matrix);
    const double sigma = top_of(v, &op);
    assert_true(fabs(sigma - KNOWN_LARGEST) <= 1e-12 * KNOWN_LARGEST);
  }
}

static void test_shapes(void **state) {
  (void)state;
  const double row[] = {3, 0, 4, 12};
  double v[4];
  const dense_matrix wide = {row, 1, 4}, tall = {row, 4, 1}, square = {row, 1, 1};
  const linear_operator operators[] = {dense_matrix_operator(&wide), dense_matrix_operator(&tall),
                                       dense_matrix_operator(&square)};
  const double norms[] = {13, 13, 3};
  for (int i = 0; i < 3; i++) assert_true(fabs(top_of(v, &operators[i]) - norms[i]) <= 1e-13 * norms[i]);
}

static void test_zero(void **state) {
  (void)state;
  const double zero[12] = {0};
  double v[4];
  const dense_matrix matrix = {zero, 3, 4};
  const linear_operator op = dense_matrix_operator(&matrix);
  assert_true(top_of(v, &op) == 0);
}

/* What overflows or is no number still gives a unit vector, and no endless loop. */
static void test_no_number(void **state) {
  (void)state;
  const double bad[] = {1, NAN, 2, 3}, large[] = {1e200, 1e200, 1e200, -1e200};
  const double *const matrices[] = {bad, large};
  for (int i = 0; i < 2; i++) {
    double v[2], sigma;
    const dense_matrix matrix = {matrices[i], 2, 2};
    const linear_operator op = dense_matrix_operator(&matrix);
    assert_int_equal(lanczos_top(v, &sigma, &op, NULL, NULL), ATTCERT_OK);
    assert_true(fabs(length(v, 2) - 1) <= 1e-12);
  }
}

/* I + (1/2 - 1) s s^T / s^T s for the first start s: its Krylov space is the line of s, on which A is 1/2. */
static void test_start_orthogonal_to_the_top(void **state) {
  (void)state;
  enum { SIDE = 3 };
  double a[SIDE * SIDE], v[SIDE], square = 0;
  for (uint64_t i = 0; i < SIDE; i++) square += uniform_entry(i) * uniform_entry(i);
  for (uint64_t i = 0; i < SIDE; i++)
    for (uint64_t j = 0; j < SIDE; j++) a[i * SIDE + j] = (i == j) - 0.5 * uniform_entry(i) * uniform_entry(j) / square;
  const dense_matrix matrix = {a, SIDE, SIDE};
  const linear_operator op = dense_matrix_operator(&matrix);
  assert_true(fabs(top_of(v, &op) - 1) <= 1e-12);
}

/* A given start leads on from where it is, in all shapes; one that A sends to 0 leads anywhere. */
static void test_given_start(void **state) {
  (void)state;
  const double a[] = {3, 0, 0, 0, 2, 0};
  for (int wide = 0; wide < 2; wide++) {
    const double tall[] = {3, 0, 0, 2, 0, 0}, start[] = {0, 5, 0};
    const dense_matrix matrix = {wide ? a : tall, wide ? 2 : 3, wide ? 3 : 2};
    const linear_operator op = dense_matrix_operator(&matrix);
    double v[] = {0, 0, 1}, sigma = 0;
    assert_int_equal(lanczos_top_from(v, &sigma, &op, start, NULL, NULL), ATTCERT_OK);
    assert_true(sigma >= 2 * (1 - 1e-15));
    if (!wide) continue;
    v[0] = v[1] = 0;
    assert_int_equal(lanczos_top_from(v, &sigma, &op, v, NULL, NULL), ATTCERT_OK);
    assert_true(fabs(sigma - 3) <= 1e-12);
  }
}

static int count_calls(void *context, const char *stage, double done) {
  assert_true(strlen(stage) > 0 && done >= 0 && done <= 1);
  ++*(int *)context;
  return 0;
}

static void test_progress_and_repeatability(void **state) {
  (void)state;
  int calls = 0;
  double d[MAX_SIDE], v[2][MAX_SIDE], sigma[2];
  for (int i = 0; i < MAX_SIDE; i++) d[i] = 1 + i % 7;
  const linear_operator op = {MAX_SIDE, MAX_SIDE, apply_diagonal, d};
  attcert_options options;
  attcert_options_default(&options);
  options.progress = count_calls;
  options.progress_context = &calls;
  for (int i = 0; i < 2; i++) assert_int_equal(lanczos_top(v[i], &sigma[i], &op, &options, NULL), ATTCERT_OK);
  assert_true(calls >= 2);
  assert_true(sigma[0] == sigma[1]);
  assert_memory_equal(v[0], v[1], sizeof v[0]);
}

static int cancel(void *context, const char *stage, double done) {
  (void)count_calls(context, stage, done);
  return 1;
}

/* A spectrum that takes many restarts, of which the first is cancelled. */
static void test_cancelled(void **state) {
  (void)state;
  int calls = 0;
  double d[MAX_SIDE], v[MAX_SIDE], sigma;
  for (int i = 0; i < MAX_SIDE; i++) d[i] = 1.0 - 1e-5 * i * i / MAX_SIDE;
  const linear_operator op = {MAX_SIDE, MAX_SIDE, apply_diagonal, d};
  attcert_options options;
  attcert_options_default(&options);
  options.progress = count_calls;
  options.progress_context = &calls;
  assert_int_equal(lanczos_top(v, &sigma, &op, &options, NULL), ATTCERT_OK);
  assert_true(calls > 1);
  calls = 0;
  options.progress = cancel;
  assert_int_equal(lanczos_top(v, &sigma, &op, &options, NULL), ATTCERT_CANCELLED);
  assert_int_equal(calls, 1);
}

/* At least the vector and its image, and not the whole basis for dimensions where that would be gigabytes. */
static void test_bytes(void **state) {
  (void)state;
  for (size_t cols = 1; cols <= 1 << 24; cols *= 8) {
    assert_true(lanczos_bytes(cols) >= 2 * cols * sizeof(double));
    assert_true(lanczos_bytes(cols) <= (UINT64_C(1) << 27) + 40 * cols * sizeof(double));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_diagonals),
      cmocka_unit_test(test_vector),
      cmocka_unit_test(test_cancelled),
      cmocka_unit_test(test_known_spectra),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_zero),
      cmocka_unit_test(test_start_orthogonal_to_the_top),
      cmocka_unit_test(test_given_start),
      cmocka_unit_test(test_no_number),
      cmocka_unit_test(test_progress_and_repeatability),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
