/* The norm of matrices known by products alone: the truth is inside, as close as was asked; what cannot be, and what a
 * product does wrong, is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "attcert.h"
#include "known_spectrum.h"
#include "linalg/rounding/rounding.h"

enum { SIDE = 40, ROWS = SIDE + 9 };

/* A symmetric matrix of norm KNOWN_LARGEST above rows of zeros. */
typedef struct {
  double g[SIDE * SIDE];
  int calls, ends_at; /* 0: never */
  double value;       /* in place of y[0] where it is not 0 */
} tall;

static int multiply(void *context, double *y, const double *x, size_t count, bool transposed) {
  tall *const a = context;
  const size_t to = transposed ? SIDE : ROWS, from = transposed ? ROWS : SIDE;
  for (size_t b = 0; b < count; b++) {
    memset(y + b * to, 0, to * sizeof *y);
    for (size_t i = 0; i < SIDE; i++)
      for (size_t j = 0; j < SIDE; j++) y[b * to + i] += a->g[i * SIDE + j] * x[b * from + j];
  }
  if (a->value != 0.0) y[0] = a->value;
  return ++a->calls == a->ends_at;
}

static double begin(tall *a, attcert_options *options) {
  *a = (tall){.calls = 0};
  attcert_options_default(options);
  known_spectrum_matrix(a->g, SIDE, spectrum_clustered);
  return gamma_upper(SIDE) * known_spectrum_row_sum(a->g, SIDE);
}

static void test_known_norm(void **state) {
  static const double widths[] = {0.0, 1e-1, 1e-3, 1e-6};
  static tall a;
  attcert_options options;
  (void)state;
  const double error = begin(&a, &options);
  for (int w = 0; w < 4; w++) {
    double lower, upper;
    options.tolerance = widths[w];
    assert_int_equal(attcert_operator_norm(&lower, &upper, ROWS, SIDE, multiply, &a, error, &options, NULL),
                     ATTCERT_OK);
    assert_true(lower <= KNOWN_LARGEST && KNOWN_LARGEST <= upper);
    assert_true(upper <= lower * (1.0 + (w == 0 ? 1e-2 : widths[w])));
  }
}

/* What products are off by is no more known than the norm; and an error that leaves nothing of it. */
static void test_error(void **state) {
  static tall a;
  attcert_options options;
  attcert_error err;
  double lower, upper;
  (void)state;
  begin(&a, &options);
  options.tolerance = 1e-6;
  assert_int_equal(attcert_operator_norm(&lower, &upper, ROWS, SIDE, multiply, &a, 1e-4, &options, &err),
                   ATTCERT_NEGATIVE);
  assert_non_null(strstr(err.message, "tolerance"));
  assert_true(lower <= KNOWN_LARGEST - 1e-4 && lower > 6.9 && upper >= KNOWN_LARGEST + 1e-4 && isfinite(upper));
  options.tolerance = 0.0;
  assert_int_equal(attcert_operator_norm(&lower, &upper, ROWS, SIDE, multiply, &a, 100.0, &options, &err), ATTCERT_OK);
  assert_true(lower == 0.0 && upper > KNOWN_LARGEST);
}

static void test_zero(void **state) {
  static tall a;
  attcert_options options;
  double lower, upper;
  (void)state;
  begin(&a, &options);
  memset(a.g, 0, sizeof a.g);
  assert_int_equal(attcert_operator_norm(&lower, &upper, ROWS, SIDE, multiply, &a, 0.0, &options, NULL), ATTCERT_OK);
  assert_true(lower == 0.0 && upper < 1e-100);
}

static void refused(attcert_status status, const char *text, size_t rows, double error, tall *a,
                    const attcert_options *options) {
  double lower = 5.0, upper = 5.0;
  attcert_error err = {0};
  assert_int_equal(attcert_operator_norm(&lower, &upper, rows, SIDE, multiply, a, error, options, &err), status);
  if (strstr(err.message, text) == NULL) fail_msg("'%s' does not say '%s'", err.message, text);
  assert_true(lower == 0.0 && isinf(upper));
}

static void test_refused(void **state) {
  static tall a;
  attcert_options options;
  double end;
  (void)state;
  const double error = begin(&a, &options);
  refused(ATTCERT_INPUT, "matrix: 0 x 40", 0, error, &a, &options);
  refused(ATTCERT_INPUT, "error", ROWS, -1.0, &a, &options);
  refused(ATTCERT_INPUT, "error", ROWS, NAN, &a, &options);
  options.failure = 0.0;
  refused(ATTCERT_INPUT, "failure", ROWS, error, &a, &options);
  options.failure = 2.0;
  refused(ATTCERT_INPUT, "failure", ROWS, error, &a, &options);
  attcert_options_default(&options);
  options.memory_limit = 1000;
  refused(ATTCERT_RESOURCE, "1000", ROWS, error, &a, &options);
  options.memory_limit = 0;
  a.ends_at = 9;
  refused(ATTCERT_CANCELLED, "product", ROWS, error, &a, &options);
  a.ends_at = 0;
  a.value = NAN;
  refused(ATTCERT_INPUT, "finite", ROWS, error, &a, &options);
  a.value = INFINITY;
  refused(ATTCERT_INPUT, "finite", ROWS, error, &a, NULL);
  assert_int_equal(attcert_operator_norm(NULL, &end, ROWS, SIDE, multiply, &a, error, NULL, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_operator_norm(&end, &end, ROWS, SIDE, NULL, &a, error, NULL, NULL), ATTCERT_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_norm),
      cmocka_unit_test(test_error),
      cmocka_unit_test(test_zero),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
