/* The residual that a factorisation measures on the way against M - L L^T multiplied out in Arb. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arb_mat.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "known_spectrum.h"
#include "linalg/panel/panel_cholesky.h"
#include "linalg/rounding/rounding.h"
#include "panel_entry.h"

enum { BITS = 400 };

static const panel_storage in_memory = {0};

static bool factor(const panel_store *s, double *row_sum) {
  int failed = 0;
  panel_progress progress = panel_cholesky_progress_start(&s->a);
  assert_int_equal(panel_cholesky(&failed, s, row_sum, &progress, NULL, NULL), ATTCERT_OK);
  return failed == PANEL_CHOLESKY_DONE;
}

/* M = (1 + 1e-6) KNOWN_LARGEST I - a matrix of known spectrum, in panels and as an Arb matrix. */
static void shifted_init(panel_store *s, arb_mat_t m, int n) {
  double *const g = malloc((size_t)n * (size_t)n * sizeof *g);
  assert_non_null(g);
  known_spectrum_matrix(g, n, spectrum_clustered);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) g[i * n + j] = (i == j ? KNOWN_LARGEST * (1 + 1e-6) : 0) - g[i * n + j];
  assert_int_equal(panel_store_init(s, n, &in_memory, NULL), ATTCERT_OK);
  assert_int_equal(panel_store_hold(s, 0, NULL), ATTCERT_OK);
  const panels *const a = &s->a;
  panels_put_transposed(a, 0, n, 0, n, g, (size_t)n);
  arb_mat_init(m, n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) arb_set_d(arb_mat_entry(m, i, j), panel_entry(a, i, j));
  free(g);
}

/* residual := M - L L^T and bound := |L| |L|^T, L as the panels hold it. */
static void exact_residual(arb_mat_t residual, arb_mat_t bound, const panels *a) {
  arb_mat_t l, t;
  arb_mat_init(l, a->n, a->n);
  arb_mat_init(t, a->n, a->n);
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j <= i; j++) arb_set_d(arb_mat_entry(l, i, j), panel_entry(a, i, j));
  arb_mat_transpose(t, l);
  arb_mat_mul(bound, l, t, BITS);
  arb_mat_sub(residual, residual, bound, BITS);
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j <= i; j++) arb_abs(arb_mat_entry(l, i, j), arb_mat_entry(l, i, j));
  arb_mat_transpose(t, l);
  arb_mat_mul(bound, l, t, BITS);
  arb_mat_clear(l);
  arb_mat_clear(t);
}

static double row_sum_of(const arb_mat_t a, int row) {
  double sum = 0;
  for (slong j = 0; j < arb_mat_ncols(a); j++)
    sum += fabs(arf_get_d(arb_midref(arb_mat_entry(a, row, j)), ARF_RND_NEAR));
  return sum;
}

/* | sum_j |R~_ij| - sum_j |R_ij| | <= gamma_{b+B} sum_j (|L| |L|^T)_ij + gamma_B sum_j |R~_ij|, and the sum's own
 * roundings. */
static void check_side(int n) {
  panel_store s;
  arb_mat_t residual, bound;
  double *const row_sum = calloc((size_t)n, sizeof *row_sum);
  assert_non_null(row_sum);
  shifted_init(&s, residual, n);
  arb_mat_init(bound, n, n);
  assert_true(factor(&s, row_sum));
  exact_residual(residual, bound, &s.a);
  for (int i = 0; i < n; i++) {
    const double exact = row_sum_of(residual, i), allowed = gamma_upper(s.a.width + s.a.count) * row_sum_of(bound, i);
    const double rounding = (gamma_upper(s.a.count) + gamma_upper(2.0 * n)) * row_sum[i];
    assert_true(fabs(row_sum[i] - exact) <= allowed + rounding);
    assert_true(row_sum[i] <= 1e-12 * n);
  }
  panel_store_clear(&s);
  arb_mat_clear(residual);
  arb_mat_clear(bound);
  free(row_sum);
}

static void test_residual(void **state) {
  (void)state;
  static const int sides[] = {1, 2, 100, 256, 257, 300, 513};
  for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) check_side(sides[s]);
}

/* ---- several chunks, shared by threads --------------------------------------------------------------------------- */

enum { LARGE = 2600 };

/* 49 on the diagonal; below the first square, one number a row. */
static double entry_of(int i, int j) {
  if (i == j) return 49.0;
  return i >= PANEL_WIDTH && i % PANEL_WIDTH == j ? 1.0 + i / 1000.0 : 0.0;
}

static void factor_large(panel_store *s, double *row_sum, int threads) {
  attcert_options options;
  int failed;
  attcert_options_default(&options);
  options.threads = threads;
  assert_int_equal(panel_store_init(s, LARGE, &in_memory, NULL), ATTCERT_OK);
  assert_int_equal(panel_store_hold(s, 0, NULL), ATTCERT_OK);
  for (int p = 0; p < s->a.count; p++)
    for (int i = panel_first(&s->a, p); i < LARGE; i++)
      for (int j = 0; j < panel_columns(&s->a, p); j++)
        panel_row(&s->a, p, i)[j] = entry_of(i, panel_first(&s->a, p) + j);
  panel_progress progress = panel_cholesky_progress_start(&s->a);
  assert_int_equal(panel_cholesky(&failed, s, row_sum, &progress, &options, NULL), ATTCERT_OK);
  assert_int_equal(failed, PANEL_CHOLESKY_DONE);
  assert_true(progress.done == progress.total);
}

/* Row j < PANEL_WIDTH of R~, all from the first panel: |m - fl(7 l)| for each m below, multiples of one small number,
 * whose sum is exact. */
static double first_row_sum(const panels *a, int j) {
  double sum = 0.0;
  for (int i = j + PANEL_WIDTH; i < LARGE; i += PANEL_WIDTH) {
    const double product = 7.0 * panel_entry(a, i, j);
    sum += fabs(entry_of(i, j) - product);
  }
  return sum;
}

/* L and R~ are the same to the last bit for any number of threads, and each chunk counts once in the rows above it. */
static void test_threads(void **state) {
  (void)state;
  panel_store one, three;
  double largest = 0.0, *const sums = calloc(2 * LARGE, sizeof *sums);
  assert_non_null(sums);
  factor_large(&one, sums, 1);
  factor_large(&three, sums + LARGE, 3);
  assert_memory_equal(sums, sums + LARGE, LARGE * sizeof *sums);
  for (int p = 0; p < one.a.count; p++) assert_memory_equal(one.a.panel[p], three.a.panel[p], panels_bytes(&one.a, p));
  for (int j = 0; j < PANEL_WIDTH; j++) {
    assert_true(sums[j] == first_row_sum(&one.a, j));
    largest = fmax(largest, sums[j]);
  }
  assert_true(largest > 0.0);
  panel_store_clear(&one);
  panel_store_clear(&three);
  free(sums);
}

/* A pivot that is negative in the first, the last and a middle panel. */
static void test_indefinite(void **state) {
  (void)state;
  static const int place[] = {0, 255, 256, 400, 599};
  for (size_t p = 0; p < sizeof place / sizeof place[0]; p++) {
    panel_store s;
    double row_sum[600] = {0};
    assert_int_equal(panel_store_init(&s, 600, &in_memory, NULL), ATTCERT_OK);
    assert_int_equal(panel_store_hold(&s, 0, NULL), ATTCERT_OK);
    for (int i = 0; i < 600; i++) *(panel_row(&s.a, i / s.a.width, i) + i % s.a.width) = i == place[p] ? -1 : 2;
    assert_false(factor(&s, row_sum));
    panel_store_clear(&s);
  }
}

/* G - KNOWN_LARGEST / 2 I is indefinite: along the direction of a failure G exceeds the shift. */
static void check_curvature(int n, spectrum *eigenvalue) {
  const double shift = KNOWN_LARGEST / 2.0;
  const size_t side = (size_t)n;
  panel_store s;
  double *const g = malloc(side * side * sizeof *g), *const w = calloc(2 * side, sizeof *w);
  panel_progress progress = {0.0, 1.0};
  int failed;
  assert_true(g != NULL && w != NULL);
  known_spectrum_matrix(g, n, eigenvalue);
  for (size_t e = 0; e < side * side; e++) g[e] = (e % (side + 1) == 0 ? shift : 0) - g[e];
  assert_int_equal(panel_store_init(&s, n, &in_memory, NULL), ATTCERT_OK);
  assert_int_equal(panel_store_hold(&s, 0, NULL), ATTCERT_OK);
  panels_put_transposed(&s.a, 0, n, 0, n, g, side);
  assert_int_equal(panel_cholesky(&failed, &s, w + n, &progress, NULL, NULL), ATTCERT_OK);
  assert_in_range(failed, 0, n - 1);
  assert_int_equal(panel_cholesky_curvature(w, &s, failed, NULL), ATTCERT_OK);
  double form = 0, square = 0;
  for (size_t e = 0; e < side * side; e++) form += w[e / side] * g[e] * w[e % side];
  for (size_t i = 0; i < side; i++) square += w[i] * w[i];
  assert_true(square >= 1 && form <= 1e-12 * square);
  panel_store_clear(&s);
  free(g);
  free(w);
}

static void test_curvature(void **state) {
  (void)state;
  static const int sides[] = {1, 2, 17, 100, 256, 257, 300, 600, 1100};
  for (int family = 0; family < KNOWN_SPECTRA; family++)
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) check_curvature(sides[s], KNOWN_SPECTRUM[family]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_residual), cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_indefinite), cmocka_unit_test(test_curvature)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
