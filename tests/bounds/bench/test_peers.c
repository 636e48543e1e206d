/* The peers of the bench against certificates of the same layers: the value of each is the norm of the Jacobian that it
 * was given, up to its own rounding, and Arb proves what is true and refuses what is not. */
#include "jacobian_columns.h"
#include "peers.h"

#include "base/uniform.h"
#include "certify_case.h"
#include "kernel/layer/attention.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A layer of certify_case.h and its enclosure, rounded outward to double. */
typedef struct {
  certify_case drawn;
  given_layer given;
  double lower, upper;
} peer_case;

/* False for J = 0. */
static bool peer_case_init(peer_case *t, int index) {
  attcert_options options;
  attcert_certificate certificate;
  attcert_options_default(&options);
  attcert_certificate_init(&certificate);
  certify_case_init(&t->drawn, index);
  t->given = (given_layer){t->drawn.input.layer, t->drawn.input.x, 1, PUBLISHED_BERT};
  assert_int_equal(attcert_certify(&certificate, &t->given.layer, &t->given.x, &options, NULL), ATTCERT_OK);
  assert_true(certificate.relative_width < 1e-9);
  t->lower = mpfr_get_d(certificate.lower, MPFR_RNDD);
  t->upper = mpfr_get_d(certificate.upper, MPFR_RNDU);
  attcert_certificate_clear(&certificate);
  return t->upper > 0.0;
}

static void peer_case_clear(peer_case *t) {
  certify_case_clear(&t->drawn);
}

typedef attcert_status (*layer_peer)(measurement *result, const given_layer *g, attcert_error *err);

static measurement measured(layer_peer peer, const given_layer *g, int runs) {
  measurement result;
  attcert_error err = {0};
  measurement_begin(&result, runs);
  if (peer(&result, g, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_int_equal(result.runs, runs);
  for (int run = 0; run < runs; run++) assert_true(result.seconds[run] > 0.0 && isfinite(result.seconds[run]));
  return result;
}

static void assert_norm(layer_peer peer, const peer_case *t) {
  const measurement once = measured(peer, &t->given, 1), thrice = measured(peer, &t->given, 3);
  assert_true(once.rounding > 0.0 && once.rounding < 1e-10);
  assert_true(once.norm <= t->upper * (1.0 + once.rounding));
  assert_true(once.norm >= t->lower * (1.0 - once.rounding));
  /* The matrix that LAPACK destroyed is as it was at the next run. */
  assert_true(once.norm == thrice.norm);
}

/* Below the norm; and close to it, as the random layers have a gap below their largest singular value. */
static void assert_iteration(layer_peer peer, const peer_case *t, double close) {
  const measurement m = measured(peer, &t->given, 2);
  assert_true(m.converged && m.iterations > 1);
  assert_true(m.norm <= t->upper * (1.0 + m.rounding));
  assert_true(m.norm >= t->lower * close);
}

static void assert_proof(const peer_case *t) {
  measurement m;
  measurement_begin(&m, 1);
  assert_int_equal(arb_certificate(&m, &t->given, t->upper * (1.0 + 1e-12), NULL), ATTCERT_OK);
  assert_true(m.proved == t->upper * (1.0 + 1e-12));
  assert_true(m.precision >= 32 && m.precision % 32 == 0);
  measurement_begin(&m, 1);
  assert_int_equal(arb_certificate(&m, &t->given, t->lower * (1.0 - 1e-12), NULL), ATTCERT_NEGATIVE);
  assert_true(isnan(m.proved) && m.runs == 0);
}

static void test_values_are_certified_norms(void **state) {
  (void)state;
  int measured_cases = 0;
  for (int index = 0; index < CERTIFY_CASES; index++) {
    peer_case t;
    if (peer_case_init(&t, index)) {
      measured_cases++;
      assert_norm(lapack_eigenvalue, &t);
      assert_norm(lapack_singular_values, &t);
      assert_iteration(power_iteration_relative, &t, 0.9);
      assert_proof(&t);
    }
    peer_case_clear(&t);
  }
  assert_true(measured_cases >= CERTIFY_CASES / 2);
}

/* Columns of J~ beside the Jacobian of the kernel, which is in double too. */
static void test_columns_are_the_jacobian(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES; index++) {
    certify_case c;
    jacobian_columns a;
    attention_state s;
    certify_case_init(&c, index);
    if (!c.m.zero) {
      const attcert_layer *const layer = &c.input.layer;
      const int n = c.input.x.rows;
      double *const storage = calloc(attention_state_size(layer, n), sizeof(double));
      attention_state_init(&s, layer, c.input.x.data, n, storage);
      assert_int_equal(jacobian_columns_init(&a, &c.m, NULL), ATTCERT_OK);
      assert_int_equal(a.rows, n * layer->out_dim);
      assert_int_equal(a.columns, n * layer->dim);
      double *const scratch = calloc(attention_jacobian_scratch(&s), sizeof(double));
      double *const j = calloc((size_t)a.rows * (size_t)a.columns, sizeof(double));
      attention_jacobian(j, &s, scratch);
      double largest = 0.0;
      for (int i = 0; i < a.rows * a.columns; i++) largest = fmax(largest, fabs(j[i]));
      for (int row = 0; row < a.rows; row++)
        for (int column = 0; column < a.columns; column++)
          assert_true(fabs(j[row * a.columns + column] - ldexp(a.values[column * a.rows + row], (int)c.m.exponent)) <=
                      1e-11 * largest);
      free(j);
      free(scratch);
      free(storage);
      jacobian_columns_clear(&a);
    }
    certify_case_clear(&c);
  }
}

/* V times 2^power: J times 2^power. */
static void scale_values(peer_case *t, int power) {
  attcert_layer *const layer = &t->given.layer;
  const int count = layer->heads * layer->head_dim * layer->dim;
  for (int i = 0; i < count; i++) layer->value_weight[i] = ldexp(layer->value_weight[i], power);
}

/* y := A x, or A^T x. */
static void multiply(double *y, const jacobian_columns *a, const double *x, bool transpose) {
  for (int i = 0; i < (transpose ? a->columns : a->rows); i++) y[i] = 0.0;
  for (int column = 0; column < a->columns; column++)
    for (int row = 0; row < a->rows; row++)
      y[transpose ? column : row] += a->values[column * a->rows + row] * x[transpose ? row : column];
}

/* Scales x to length 1 and returns the square of its length. */
static double normalize(double *x, int n) {
  double square = 0.0;
  for (int i = 0; i < n; i++) square += x[i] * x[i];
  for (int i = 0; i < n; i++) x[i] /= sqrt(square);
  return square;
}

/* How many iterations the rule takes, from the definition, with the explicit matrix of a layer whose V is 2^power times
 * as large. */
static int defined_iterations(const peer_case *t, int power, double absolute, double relative, int most) {
  const factored_jacobian *const m = &t->drawn.m;
  jacobian_columns a;
  assert_int_equal(jacobian_columns_init(&a, m, NULL), ATTCERT_OK);
  for (int i = 0; i < a.rows * a.columns; i++) a.values[i] = ldexp(a.values[i], (int)m->exponent + power);
  double *const v = calloc((size_t)a.columns, sizeof(double)), *const image = calloc((size_t)a.rows, sizeof(double));
  double lambda = 0.0, change = INFINITY; /* the published code compares the first square with 0 */
  int iterations = 0;
  for (int i = 0; i < a.columns; i++) v[i] = uniform_entry((uint64_t)i);
  while (change >= absolute + relative * lambda && iterations < most) {
    normalize(v, a.columns);
    multiply(image, &a, v, false);
    multiply(v, &a, image, true);
    const double square = normalize(image, a.rows);
    change = fabs(square - lambda);
    lambda = square;
    iterations++;
  }
  free(v);
  free(image);
  jacobian_columns_clear(&a);
  return iterations;
}

/* The iterations of a rule with that change. */
static int measured_by_change(const peer_case *t, double change) {
  measurement m;
  measurement_begin(&m, 1);
  assert_int_equal(power_iteration_absolute(&m, &t->given, change, NULL), ATTCERT_OK);
  return m.iterations;
}

/* The rules stop where their definition does: the published ones are about the square of the norm itself, so they are
 * met at once where J is small, and later, or never in their steps, where it is large. */
static void test_rules_of_the_power_iteration(void **state) {
  (void)state;
  static const int powers[] = {-30, -3, 0, 3, 10, 14};
  enum { POWERS = sizeof powers / sizeof powers[0] };
  static const struct {
    double change;
    int most;
  } rules[] = {[PUBLISHED_BERT] = {1e-4, 100}, [PUBLISHED_GPT2] = {5e-4, 500}, [PUBLISHED_RANDOM_GPT2] = {1e-3, 1000}};
  int longest[3] = {0};
  for (int index = 0; index < CERTIFY_CASES; index++) {
    peer_case t;
    const bool nonzero = peer_case_init(&t, index);
    for (int i = 0; nonzero && i < POWERS; i++) {
      scale_values(&t, powers[i]);
      const published_model like = (published_model)(index % 3);
      t.given.like = like;
      const int published = measured(power_iteration_published, &t.given, 1).iterations;
      assert_int_equal(published, defined_iterations(&t, powers[i], rules[like].change, 0.0, rules[like].most));
      assert_int_equal(measured(power_iteration_relative, &t.given, 1).iterations,
                       defined_iterations(&t, powers[i], 0.0, 1e-6, INT_MAX));
      scale_values(&t, -powers[i]);
      if (powers[i] == -30) assert_int_equal(published, 1);
      if (published > longest[like]) longest[like] = published;
      if (published < rules[like].most)
        assert_int_equal(measured_by_change(&t, ldexp(rules[like].change, -2 * powers[i])), published);
    }
    peer_case_clear(&t);
  }
  assert_int_equal(longest[PUBLISHED_GPT2], 500); /* its steps ran out */
  assert_true(longest[PUBLISHED_BERT] > 20 && longest[PUBLISHED_RANDOM_GPT2] > 20);
}
static void test_rate_and_report(void **state) {
  (void)state;
  measurement m;
  measurement_begin(&m, 2);
  assert_int_equal(gemm_rate(&m, 96, NULL), ATTCERT_OK);
  assert_true(m.flops_a_second > 1e6 && m.flops_a_second < 1e15);
  FILE *const file = tmpfile();
  assert_non_null(file);
  measurement_write(file, &m, "gemm_rate");
  rewind(file);
  json_t *const report = json_loadf(file, JSON_REJECT_DUPLICATES, NULL);
  assert_non_null(report);
  assert_string_equal(json_string_value(json_object_get(report, "program")), "gemm_rate");
  assert_int_equal(json_array_size(json_object_get(report, "seconds")), 2);
  assert_true(json_real_value(json_object_get(report, "flops_a_second")) == m.flops_a_second);
  assert_true(json_is_null(json_object_get(report, "norm")));
  assert_true(json_integer_value(json_object_get(report, "peak_memory_bytes")) > 1 << 20);
  assert_non_null(strstr(json_string_value(json_object_get(report, "blas")), "OpenBLAS"));
  json_decref(report);
  fclose(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_are_certified_norms),
      cmocka_unit_test(test_columns_are_the_jacobian),
      cmocka_unit_test(test_rules_of_the_power_iteration),
      cmocka_unit_test(test_rate_and_report),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
