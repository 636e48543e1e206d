/* Results: that they hold what the layers beneath found, reports included, and that a run can be cancelled at every
 * stage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem_case.h"

/* The number of the report at "object.key". */
static double number_at(const attcert_result *r, const char *object, const char *key) {
  json_t *const root = json_loads(attcert_result_json(r), 0, NULL);
  assert_non_null(root);
  const json_t *const from = object != NULL ? json_object_get(root, object) : root;
  const double value = json_number_value(json_object_get(from, key));
  json_decref(root);
  return value;
}

static void test_certify(void **state) {
  (void)state;
  problem_case p;
  attcert_result *r;
  size_t rows, cols;
  problem_case_init_small(&p, 1);
  assert_int_equal(attcert_problem_certify(&r, p.problem, NULL, NULL), ATTCERT_OK);
  const double lower = attcert_result_lower(r), upper = attcert_result_upper(r);
  const attcert_certificate *const c = attcert_result_certificate(r);
  assert_true(mpfr_cmp_d(c->lower, lower) == 0 && mpfr_cmp_d(c->upper, upper) == 0);
  assert_true(lower > 0.0 && lower <= attcert_result_estimate(r) && attcert_result_estimate(r) <= upper);
  assert_true(attcert_result_relative_width(r) >= (upper - lower) / upper && attcert_result_tolerance_met(r));
  assert_true(number_at(r, "lipschitz", "lower") <= lower && number_at(r, "lipschitz", "upper") >= upper);
  assert_non_null(strstr(attcert_result_json(r), "\"schema\": \"attcert/certify/1\""));
  assert_non_null(strstr(attcert_result_json(r), "\"input\": null"));
  assert_non_null(strstr(attcert_result_text(r), "input      numbers in memory\n"));
  assert_string_equal(attcert_result_engine(r), "dense");
  assert_non_null(strstr(attcert_result_plan(r), "engine dense"));
  assert_true(attcert_result_precision(r) >= 53 && attcert_result_incomplete(r) == NULL);
  const double *const u = attcert_result_vector(r, &rows, &cols);
  assert_true(rows == 4 && cols == 3 && u == c->vector.data);
  assert_true(attcert_result_bound_count(r) == 0 && attcert_result_bound_id(r, 0) == NULL &&
              isnan(attcert_result_bound_value(r, 0)));
  assert_true(attcert_result_verdict(r) == NULL && !attcert_result_consistent(r) && isnan(attcert_result_gap(r)) &&
              isnan(attcert_result_direction_lower(r)) && isnan(attcert_result_ball_upper(r)) &&
              attcert_result_ball_theorem(r) == NULL && attcert_result_ball_input(r, NULL, NULL) == NULL);
  attcert_result_free(r);
  problem_case_clear(&p);
}

static void test_bounds(void **state) {
  (void)state;
  problem_case p;
  attcert_result *r;
  attcert_error err;
  int above = 0;
  problem_case_init_small(&p, 2);
  assert_int_equal(attcert_problem_bounds(&r, p.problem, 0.0, NULL, NULL), ATTCERT_OK);
  for (size_t i = 0; i < attcert_result_bound_count(r); i++) {
    const double value = attcert_result_bound_value(r, i);
    assert_true(attcert_result_bound_id(r, i)[0] == 'T' && strlen(attcert_result_bound_title(r, i)) > 0);
    assert_true(strlen(attcert_result_bound_applies(r, i)) > 0);
    if (isnan(value) || attcert_result_bound_is_lower(r, i)) continue;
    assert_true(value >= attcert_result_lower(r));
    above++;
  }
  assert_true(attcert_result_bound_count(r) == 9 && above >= 3);
  attcert_result_free(r);
  assert_int_equal(attcert_problem_bounds(&r, p.problem, 1e-6, NULL, &err), ATTCERT_INPUT);
  assert_null(r);
  assert_non_null(strstr(err.message, "--radius-of-inputs: 1e-06 does not hold the tokens"));
  assert_int_equal(attcert_problem_bounds(&r, p.problem, NAN, NULL, NULL), ATTCERT_INPUT);
  problem_case_clear(&p);
}

static void test_check(void **state) {
  (void)state;
  static const struct {
    const char *estimate, *verdict;
    attcert_status status;
    double slack;
  } cases[] = {{"0", "below", ATTCERT_NEGATIVE, 0.0},    {"0", "below", ATTCERT_OK, 1.0},
               {"1e30", "above", ATTCERT_NEGATIVE, 0.5}, {"twelve", NULL, ATTCERT_INPUT, 0.0},
               {"-1", NULL, ATTCERT_INPUT, 0.0},         {"0", NULL, ATTCERT_INPUT, -1.0},
               {NULL, NULL, ATTCERT_INPUT, 0.0}};
  problem_case p;
  attcert_result *r;
  char inside[32];
  problem_case_init_small(&p, 3);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    r = NULL;
    assert_int_equal(attcert_problem_check(&r, p.problem, cases[i].estimate, cases[i].slack, NULL, 0, 0, NULL, NULL),
                     cases[i].status);
    assert_int_equal(r != NULL, cases[i].verdict != NULL);
    if (r == NULL) continue;
    assert_string_equal(attcert_result_verdict(r), cases[i].verdict);
    assert_int_equal(attcert_result_consistent(r), cases[i].status == ATTCERT_OK);
    assert_true(attcert_result_gap(r) > 0.0 && isnan(attcert_result_direction_lower(r)));
    snprintf(inside, sizeof inside, "%a", attcert_result_estimate(r));
    attcert_result_free(r);
  }
  assert_int_equal(attcert_problem_check(&r, p.problem, inside, 0.0, p.c.x.data, 4, 3, NULL, NULL), ATTCERT_OK);
  assert_string_equal(attcert_result_verdict(r), "inside");
  assert_true(attcert_result_direction_lower(r) > 0.0 &&
              attcert_result_direction_lower(r) <= attcert_result_direction_upper(r) &&
              attcert_result_direction_lower(r) <= attcert_result_upper(r));
  assert_non_null(strstr(attcert_result_json(r), "\"schema\": \"attcert/check/1\""));
  attcert_result_free(r);
  assert_int_equal(attcert_problem_check(&r, p.problem, inside, 0.0, p.c.x.data, 3, 4, NULL, NULL), ATTCERT_INPUT);
  problem_case_clear(&p);
}

static void test_ball(void **state) {
  (void)state;
  problem_case p;
  attcert_result *r;
  attcert_error err;
  size_t rows, cols;
  problem_case_init_small(&p, 4);
  assert_int_equal(attcert_problem_ball(&r, p.problem, 0.01, "token", "0,2", NULL, NULL), ATTCERT_OK);
  assert_true(attcert_result_ball_lower(r) >= attcert_result_lower(r) &&
              attcert_result_ball_upper(r) >= attcert_result_upper(r));
  assert_true(attcert_result_ball_lower(r) <= attcert_result_ball_upper(r) && attcert_result_ball_missing(r) == NULL);
  assert_non_null(attcert_result_ball_theorem(r));
  const double *const x = attcert_result_ball_input(r, &rows, &cols);
  assert_true(rows == 4 && cols == 3);
  for (int token = 1; token < 4; token += 2) /* those that do not move */
    assert_memory_equal(x + token * 3, p.c.x.data + token * 3, 3 * sizeof *x);
  assert_true(number_at(r, "ball", "upper") >= attcert_result_ball_upper(r) && number_at(r, "ball", "radius") == 0.01);
  attcert_result_free(r);
  assert_int_equal(attcert_problem_ball(&r, p.problem, 0.01, "cube", "all", NULL, &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "ball: expected sequence or token, got 'cube'");
  assert_int_equal(attcert_problem_ball(&r, p.problem, 0.01, "token", "4", NULL, &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "--words: 4 is outside of the sequence, expected 0 to 3");
  assert_int_equal(attcert_problem_ball(&r, p.problem, -1.0, "token", "all", NULL, &err), ATTCERT_INPUT);
  problem_case_clear(&p);
}

/* ---- less memory than a run needs -------------------------------------------------------------------------------- */

static void test_memory_limit(void **state) {
  (void)state;
  const layer_shape shape = {.n = 40, .dim = 8, .heads = 2, .head_dim = 4};
  problem_case p;
  attcert_result *r;
  attcert_error err;
  attcert_options *const options = attcert_options_new();
  problem_case_init(&p, &shape, 0);
  assert_int_equal(attcert_options_set_text(options, "engine", "mpfr", NULL), ATTCERT_OK);
  assert_int_equal(attcert_options_set_number(options, "memory_limit", 4e6, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_certify(&r, p.problem, options, &err), ATTCERT_RESOURCE);
  assert_non_null(r);
  assert_string_equal(attcert_result_incomplete(r), err.message);
  assert_string_equal(attcert_result_engine(r), "pointwise");
  assert_true(attcert_result_upper(r) > attcert_result_lower(r) && attcert_result_lower(r) > 0.0);
  attcert_result_free(r);
  attcert_options_free(options);
  problem_case_clear(&p);
}

/* ---- cancelled --------------------------------------------------------------------------------------------------- */

typedef struct {
  int calls, last; /* the call that asks to end the run */
} stopper;

static int stop(void *context, const char *stage, double done) {
  stopper *const s = context;
  assert_true(strlen(stage) > 0 && done >= 0.0 && done <= 1.0);
  assert_true(s->calls < s->last); /* nobody asks again */
  return ++s->calls == s->last ? -1 : 0;
}

/* At its k-th call, for every k until the run ends by itself. */
static void test_cancelled_at_every_stage(void **state) {
  (void)state;
  static const char *const engines[] = {"mpfr", "dense", "deflated", "pointwise", "frobenius"};
  for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
    problem_case p;
    attcert_result *r;
    attcert_error err;
    stopper s = {0, 0};
    attcert_status status = ATTCERT_CANCELLED;
    attcert_options *const options = attcert_options_new();
    problem_case_init_small(&p, i);
    assert_int_equal(attcert_options_set_text(options, "engine", engines[i], NULL), ATTCERT_OK);
    attcert_options_set_progress(options, stop, &s);
    while (status != ATTCERT_OK) {
      s = (stopper){0, s.last + 1};
      status = attcert_problem_ball(&r, p.problem, 0.01, "sequence", "all", options, &err);
      if (status == ATTCERT_OK) break;
      assert_int_equal(status, ATTCERT_CANCELLED);
      assert_true(r == NULL && s.calls == s.last && strncmp(err.message, "cancelled at: ", 14) == 0);
    }
    assert_true(s.last >= 6);
    attcert_result_free(r);
    attcert_options_free(options);
    problem_case_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_certify),      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_check),        cmocka_unit_test(test_ball),
      cmocka_unit_test(test_memory_limit), cmocka_unit_test(test_cancelled_at_every_stage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
