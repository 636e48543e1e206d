/* Problems: arrays by name, what is refused and how, and the enclosure and the kernel through them against the structs
 * that they stand for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem_case.h"

enum { PROBLEM_TOKENS_MOST = 16 };

/* ---- the enclosure ----------------------------------------------------------------------------------------------- */

/* The ends of the struct interface, rounded outward: 53 bits of MPFR are the doubles themselves where these reach. */
static void assert_ends(const problem_case *p, const attcert_layer *layer) {
  attcert_certificate c;
  attcert_options options;
  double lower, upper;
  attcert_certificate_init(&c);
  attcert_options_default(&options);
  assert_int_equal(attcert_certify(&c, layer, &p->c.x, &options, NULL), ATTCERT_OK);
  assert_int_equal(attcert_enclose(&lower, &upper, p->problem, NULL, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp_d(c.lower, lower) >= 0 && mpfr_cmp_d(c.upper, upper) <= 0);
  assert_true(lower == mpfr_get_d(c.lower, MPFR_RNDD) && upper == mpfr_get_d(c.upper, MPFR_RNDU));
  assert_true(upper > 0);
  attcert_certificate_clear(&c);
}

static void test_enclose(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    problem_case p;
    attcert_layer head;
    problem_case_init_small(&p, (uint64_t)i);
    assert_ends(&p, &p.c.layer);
    assert_int_equal(attcert_layer_head(&head, &p.c.layer, 1, NULL), ATTCERT_OK);
    assert_int_equal(attcert_problem_set_head(p.problem, 1, NULL), ATTCERT_OK);
    assert_ends(&p, &head);
    attcert_layer_clear(&head);
    problem_case_clear(&p);
  }
}

/* Norms that no double holds: the ends are still outward. */
static void test_enclose_beyond_doubles(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 1, .heads = 1, .head_dim = 1, .out_dim = 1};
  static const struct {
    double value, output, lower, upper;
  } cases[] = {{0x1p600, 0x1p600, DBL_MAX, INFINITY}, {0x1p-600, 0x1p-600, 0.0, 0x1p-1074}, {0.0, 0x1p0, 0.0, 0.0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    problem_case p;
    double lower = -1.0, upper = -1.0;
    problem_case_init(&p, &shape, 0);
    p.c.layer.value_weight[0] = cases[i].value;
    p.c.layer.output_weight[0] = cases[i].output;
    assert_int_equal(attcert_enclose(&lower, &upper, p.problem, NULL, NULL), ATTCERT_OK);
    assert_true(lower == cases[i].lower && upper == cases[i].upper);
    problem_case_clear(&p);
  }
}

static void test_tolerance_not_met(void **state) {
  (void)state;
  problem_case p;
  double lower, upper;
  attcert_options *const options = attcert_options_new();
  problem_case_init_small(&p, 0);
  assert_int_equal(attcert_options_set_number(options, "tolerance", 1e-9, NULL), ATTCERT_OK);
  assert_int_equal(attcert_options_set_text(options, "engine", "pointwise", NULL), ATTCERT_OK);
  assert_int_equal(attcert_enclose(&lower, &upper, p.problem, options, NULL), ATTCERT_NEGATIVE);
  assert_true(lower > 0 && upper > lower && isfinite(upper));
  attcert_options_free(options);
  problem_case_clear(&p);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void assert_refused(const problem_case *p, const char *message) {
  attcert_error err = {.message = ""};
  double lower = -1, upper = -1;
  assert_int_equal(attcert_enclose(&lower, &upper, p->problem, NULL, &err), ATTCERT_INPUT);
  assert_string_equal(attcert_error_message(&err), message);
  assert_int_equal(attcert_error_status(&err), ATTCERT_INPUT);
  assert_true(lower == 0.0 && isinf(upper));
}

static void test_refused_problems(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t rows, cols;
    const char *message;
  } cases[] = {
      {"input", 4, 5, "input: tokens of dimension 5, but the layer's weights expect 3"},
      {"key.weight", 3, 3, "key.weight: 3 x 3, expected 4 x 3"},
      {"value.weight", 4, 2, "value.weight: 4 x 2, expected 4 x 3"},
      {"query.bias", 1, 4, "query.bias: 1 x 4, expected 4 x 1"},
      {"output.weight", 5, 3, "output.weight: 5 x 3, expected 5 x 4"},
      {"output.bias", 4, 1, "output.bias: 4 x 1, expected 5 x 1"},
      {"query.weight", 3, 3, "heads: 2 does not divide the 3 rows of query.weight"},
      {"query.weight", 0, 0, "a layer needs query.weight, key.weight and value.weight"},
      {"output.weight", 0, 0, "output.bias needs output.weight, which is missing"},
      {"input", 0, 0, "no input is set: expected n x d numbers"},
  };
  static const double numbers[32] = {0};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    problem_case p;
    problem_case_init_small(&p, 0);
    assert_int_equal(attcert_problem_set_array(p.problem, cases[i].name, cases[i].rows > 0 ? numbers : NULL,
                                               cases[i].rows, cases[i].cols, NULL),
                     ATTCERT_OK);
    assert_refused(&p, cases[i].message);
    problem_case_clear(&p);
  }
}

static void test_refused_numbers_and_heads(void **state) {
  (void)state;
  problem_case p;
  problem_case_init_small(&p, 0);
  assert_int_equal(attcert_problem_set_head(p.problem, 2, NULL), ATTCERT_OK);
  assert_refused(&p, "head 2 does not exist: the layer has heads 0 to 1");
  assert_int_equal(attcert_problem_set_head(p.problem, -1, NULL), ATTCERT_OK);
  p.c.x.data[4] = NAN; /* borrowed: seen at the next call */
  assert_refused(&p, "input: entry [1, 1] is nan, expected a finite number");
  problem_case_clear(&p);
}

/* Biases of zeros are the layer itself, by steps; -inf above the diagonal is the causal mask. */
static void test_score_biases(void **state) {
  (void)state;
  problem_case p;
  double lower, upper, of_layer[2], bias[PROBLEM_TOKENS_MOST * PROBLEM_TOKENS_MOST] = {0.0};
  attcert_error err;
  problem_case_init_small(&p, 3);
  const int n = p.c.x.rows;
  assert_true(n <= PROBLEM_TOKENS_MOST);
  for (int causal = 0; causal < 2; causal++) {
    assert_int_equal(attcert_problem_set_mask(p.problem, causal ? "causal" : "none", NULL), ATTCERT_OK);
    assert_int_equal(attcert_problem_set_array(p.problem, "score.bias", NULL, 0, 0, NULL), ATTCERT_OK);
    assert_int_equal(attcert_enclose(&of_layer[0], &of_layer[1], p.problem, NULL, NULL), ATTCERT_OK);
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n && causal; j++) bias[i * n + j] = -INFINITY;
    assert_int_equal(attcert_problem_set_mask(p.problem, "none", NULL), ATTCERT_OK);
    assert_int_equal(attcert_problem_set_array(p.problem, "score.bias", bias, (size_t)n, (size_t)n, NULL), ATTCERT_OK);
    assert_int_equal(attcert_enclose(&lower, &upper, p.problem, NULL, NULL), ATTCERT_OK);
    assert_true(lower <= of_layer[1] && of_layer[0] <= upper && upper <= lower * (1.0 + 1e-6));
  }
  bias[1] = NAN;
  assert_int_equal(attcert_enclose(&lower, &upper, p.problem, NULL, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "bias: entry (0, 0, 1) of head, query and key is nan"));
  assert_int_equal(attcert_problem_set_array(p.problem, "score.bias", bias, 1, (size_t)n, NULL), ATTCERT_OK);
  assert_int_equal(attcert_enclose(&lower, &upper, p.problem, NULL, &err), n == 1 ? ATTCERT_OK : ATTCERT_INPUT);
  problem_case_clear(&p);
}

static void test_refused_settings(void **state) {
  (void)state;
  attcert_error err;
  const double number = 0;
  attcert_problem *const p = attcert_problem_new();
  assert_int_equal(attcert_problem_set_array(p, "query", &number, 1, 1, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "array 'query' is none of a layer"));
  assert_int_equal(attcert_problem_set_array(p, "input", &number, 1, (size_t)1 << 33, &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "input: 1 x 8589934592 numbers, expected sides from 1 to 32768");
  assert_int_equal(attcert_problem_set_array(p, "input", &number, 0, 1, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_set_mask(p, "full", &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "mask: expected none or causal, got 'full'");
  assert_int_equal(attcert_problem_set_heads(p, 0, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_set_head(p, -2, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_set_array(NULL, "input", &number, 1, 1, &err), ATTCERT_INPUT);
  attcert_problem_free(p);
  attcert_problem_free(NULL);
}

static void test_options_by_name(void **state) {
  (void)state;
  attcert_error *const err = attcert_error_new();
  attcert_options *const o = attcert_options_new();
  static const struct {
    const char *name;
    double value;
    const char *message; /* NULL: taken */
  } numbers[] = {
      {"precision", 200, NULL},
      {"precision", 52, "precision: 52 bits, expected 53 to 65536"},
      {"precision", 128.5, "precision: 128.5, expected a whole number >= 0"},
      {"threads", 3, NULL},
      {"threads", -1, "threads: -1, expected a whole number >= 0"},
      {"memory_limit", 0x1p40, NULL},
      {"memory_limit", NAN, "memory_limit: nan, expected a whole number >= 0"},
      {"tolerance", 1e-6, NULL},
      {"tolerance", -1, "tolerance: -1, expected a relative width, or 0 for none"},
      {"bits", 1, "option 'bits' is none, expected precision, tolerance, threads, memory_limit, failure or seed"}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const attcert_status status = attcert_options_set_number(o, numbers[i].name, numbers[i].value, err);
    assert_int_equal(status, numbers[i].message == NULL ? ATTCERT_OK : ATTCERT_INPUT);
    if (numbers[i].message != NULL) assert_string_equal(attcert_error_message(err), numbers[i].message);
  }
  assert_int_equal(attcert_options_set_text(o, "engine", "fast", err), ATTCERT_INPUT);
  assert_string_equal(attcert_error_message(err),
                      "engine: expected auto, mpfr, dense, deflated, pointwise or random, got 'fast'");
  assert_int_equal(attcert_options_set_text(o, "scratch", "/tmp", err), ATTCERT_OK);
  assert_int_equal(attcert_options_set_text(o, "engine", "dense", err), ATTCERT_OK);
  assert_true(o->precision == 200 && o->threads == 3 && o->memory_limit == (uint64_t)1 << 40 && o->tolerance == 1e-6);
  assert_true(o->engine == ATTCERT_ENGINE_DENSE && strcmp(o->scratch, "/tmp") == 0);
  assert_string_equal(attcert_version(), ATTCERT_VERSION);
  attcert_options_free(o);
  attcert_error_free(err);
}

/* ---- sizes and the kernel ---------------------------------------------------------------------------------------- */

static void test_sizes(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int empty, whole, head;
  } sizes[] = {{"tokens", 0, 4, 4},   {"dim", 0, 3, 3},     {"heads", 0, 2, 1},
               {"head_dim", 0, 2, 2}, {"out_dim", 0, 5, 2}, {"rows", -1, -1, -1}};
  attcert_problem *const empty = attcert_problem_new();
  problem_case p;
  problem_case_init_small(&p, 0);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    assert_int_equal(attcert_problem_size(empty, sizes[i].name), sizes[i].empty);
    assert_int_equal(attcert_problem_size(p.problem, sizes[i].name), sizes[i].whole);
  }
  assert_int_equal(attcert_problem_set_head(p.problem, 0, NULL), ATTCERT_OK);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    assert_int_equal(attcert_problem_size(p.problem, sizes[i].name), sizes[i].head);
  attcert_problem_free(empty);
  problem_case_clear(&p);
}

/* J applied to dx and J^T to dy by the explicit Jacobian; the layer by the struct interface. */
static void test_kernel(void **state) {
  (void)state;
  enum { N = 4, D = 3, OUT = 5 };
  problem_case p;
  double y[N * OUT], dy[N * OUT], dx[N * D], jacobian[N * OUT * N * D], structs[N * OUT];
  problem_case_init_small(&p, 3);
  attcert_matrix out = {N, OUT, structs};
  assert_int_equal(attcert_problem_forward(y, p.problem, NULL), ATTCERT_OK);
  assert_int_equal(attcert_layer_forward(&out, &p.c.layer, &p.c.x, NULL), ATTCERT_OK);
  assert_memory_equal(y, structs, sizeof y);
  assert_int_equal(attcert_problem_jvp(dy, p.problem, p.c.x.data, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_vjp(dx, p.problem, y, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_jacobian(jacobian, p.problem, NULL), ATTCERT_OK);
  for (int i = 0; i < N * OUT; i++) {
    double sum = 0.0;
    for (int j = 0; j < N * D; j++) sum += jacobian[i * N * D + j] * p.c.x.data[j];
    assert_true(fabs(sum - dy[i]) <= 1e-12 * (1.0 + fabs(sum)));
  }
  for (int j = 0; j < N * D; j++) {
    double sum = 0.0;
    for (int i = 0; i < N * OUT; i++) sum += jacobian[i * N * D + j] * y[i];
    assert_true(fabs(sum - dx[j]) <= 1e-12 * (1.0 + fabs(sum)));
  }
  p.c.x.data[0] = INFINITY;
  assert_int_equal(attcert_problem_forward(y, p.problem, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_jvp(y, p.problem, dx, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_jacobian(jacobian, p.problem, NULL), ATTCERT_INPUT);
  problem_case_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_enclose),
      cmocka_unit_test(test_enclose_beyond_doubles),
      cmocka_unit_test(test_tolerance_not_met),
      cmocka_unit_test(test_refused_problems),
      cmocka_unit_test(test_refused_numbers_and_heads),
      cmocka_unit_test(test_refused_settings),
      cmocka_unit_test(test_score_biases),
      cmocka_unit_test(test_options_by_name),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_kernel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
