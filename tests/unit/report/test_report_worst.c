/* The report of a search: both forms say what follows for the ball, with its ends rounded outward. */
#include "report/report_worst.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
  worst_options search;
  worst_record record[2];
  worst_result result;
  report_worst worst;
  attcert_certificate certificate;
  theory_table bounds;
} fixture;

/* Certified from 3; T1 = 12 and T9 = 10 on the ball, T6 = 4 at the input. */
static void fixture_init(fixture *f) {
  *f = (fixture){.search = {.tokens = 5, .radius = 2.5, .random = 1, .steps = 30, .seed = 9},
                 .record = {{"T3, positive eigenvalue", 1.0, 2.0, 30}, {"random 1", NAN, 3.0, 7}}};
  f->result = (worst_result){.record = f->record, .count = 2, .best = 1};
  f->worst = (report_worst){&f->search, &f->result, 2.25};
  attcert_certificate_init(&f->certificate);
  theory_table_init(&f->bounds);
  mpfr_set_si(f->certificate.lower, 3, MPFR_RNDN);
  mpfr_set_si(f->certificate.upper, 4, MPFR_RNDN);
  const struct {
    theory_id id;
    long value;
    double radius;
  } bounds[] = {{THEORY_T1, 12, 2.5}, {THEORY_T3, 1, 2.5}, {THEORY_T6, 4, 0.0}, {THEORY_T9, 10, 2.5}};
  for (int i = 0; i < 4; i++) {
    theory_bound *const bound = &f->bounds.bound[bounds[i].id];
    bound->available = true;
    bound->radius = bounds[i].radius;
    mpfr_set_si(bound->value, bounds[i].value, MPFR_RNDN);
  }
}

static void fixture_clear(fixture *f) {
  theory_table_clear(&f->bounds);
  attcert_certificate_clear(&f->certificate);
}

static char *written(const fixture *f, const theory_table *bounds, bool json) {
  char *text;
  size_t size;
  fact_writer w;
  FILE *const stream = open_memstream(&text, &size);
  assert_non_null(stream);
  fact_writer_begin(&w, stream, json, "worst");
  report_worst_write(&w, &f->worst, &f->certificate, bounds);
  fact_writer_end(&w);
  fclose(stream);
  return text;
}

static json_t *parsed(const fixture *f, const theory_table *bounds) {
  json_error_t why;
  char *const text = written(f, bounds, true);
  json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
  if (root == NULL) fail_msg("line %d: %s", why.line, why.text);
  free(text);
  return root;
}

static double number(const json_t *object, const char *key) {
  const json_t *const value = json_object_get(object, key);
  assert_true(json_is_number(value));
  return json_number_value(value);
}

static void json_says_all(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  json_t *const root = parsed(&f, &f.bounds);
  const json_t *const worst = json_object_get(root, "worst"), *const ball = json_object_get(worst, "lipschitz_on_ball");
  const json_t *const ratios = json_object_get(worst, "bound_over_lower"), *const starts =
                                                                               json_object_get(worst, "starts");
  assert_true(number(worst, "radius") == 2.5 && number(worst, "token_ball_radius") == 2.25);
  assert_true(number(worst, "random_starts") == 1 && number(worst, "max_steps") == 30 && number(worst, "seed") == 9);
  assert_string_equal(json_string_value(json_object_get(worst, "best")), "random 1");
  assert_true(number(ball, "lower") == 3.0 && number(ball, "upper") == 10.0);
  assert_string_equal(json_string_value(json_object_get(ball, "upper_by")), "T9");
  assert_true(number(ball, "ratio") >= 10.0 / 3.0 && number(ball, "ratio") < 3.3333333333333344);
  assert_int_equal(json_object_size(ratios), 2);
  assert_true(number(ratios, "T1") == 4.0 && number(ratios, "T9") == number(ball, "ratio"));
  assert_int_equal(json_array_size(starts), 2);
  assert_true(number(json_array_get(starts, 0), "after") == 2.0 && number(json_array_get(starts, 0), "steps") == 30);
  assert_true(json_is_null(json_object_get(json_array_get(starts, 1), "before"))); /* NaN */
  json_decref(root);
  fixture_clear(&f);
}

/* Without bounds, or from 0, there is no ratio. */
static void json_without_bounds(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  json_t *root = parsed(&f, NULL);
  const json_t *ball = json_object_get(json_object_get(root, "worst"), "lipschitz_on_ball");
  assert_true(number(ball, "lower") == 3.0);
  assert_null(json_object_get(ball, "upper"));
  assert_int_equal(json_object_size(json_object_get(json_object_get(root, "worst"), "bound_over_lower")), 0);
  json_decref(root);
  mpfr_set_zero(f.certificate.lower, 1);
  root = parsed(&f, &f.bounds);
  ball = json_object_get(json_object_get(root, "worst"), "lipschitz_on_ball");
  assert_true(number(ball, "upper") == 10.0 && json_is_null(json_object_get(ball, "ratio")));
  json_decref(root);
  fixture_clear(&f);
}

static void text_says_the_same(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  char *const text = written(&f, &f.bounds, false);
  const char *const parts[] = {
      "on ball    3.0000000000000000e+00 <= Lip(f | B_R^n) <= 1.0000000000000000e+01, R = 2.5, n = 5\n",
      "the upper end is T9, 3.334 times the lower\n",
      "max ||x_i|| <= 2.2500000000000000e+00\n",
      "2 starts, 1 of them random (seed 9), at most 30 steps from each",
      "\n  T3, positive eigenvalue ",
      "\n* random 1 "};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (strstr(text, parts[i]) == NULL) fail_msg("'%s' is not in:\n%s", parts[i], text);
  }
  free(text);
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_says_all),
      cmocka_unit_test(json_without_bounds),
      cmocka_unit_test(text_says_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
