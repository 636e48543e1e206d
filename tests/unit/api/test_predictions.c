/* The handle of a network's answer: at the last token and at each the same, margins as the report has them; what is
 * refused. */
#include "attcert.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { N = 3, D = 8 };

static attcert_model *opened(double hidden[N * D], const char *spec) {
  const int tokens[N] = {101, 2000, 102};
  attcert_model *m;
  assert_int_equal(attcert_model_open(&m, spec, 5, NULL), ATTCERT_OK);
  assert_int_equal(attcert_model_hidden_states(hidden, m, tokens, N, NULL), ATTCERT_OK);
  return m;
}

static attcert_prediction *answered(const attcert_model *m, const double *hidden, int rows, int token) {
  attcert_prediction *p;
  attcert_error err;
  if (attcert_prediction_new(&p, m, hidden, (size_t)rows, D, NULL, token, &err) != ATTCERT_OK)
    fail_msg("%s", err.message);
  assert_true(attcert_prediction_count(p) == 0 && isnan(attcert_prediction_number(p, 0, "label")));
  assert_true(attcert_prediction_json(p) == NULL && attcert_prediction_text(p) == NULL);
  assert_int_equal(attcert_prediction_decide(p, 2, NULL, NULL), ATTCERT_OK);
  return p;
}

static void answers_are_told(void **state) {
  (void)state;
  double hidden[N * D];
  attcert_model *const m = opened(hidden, "random:gpt2:8,2,1");
  attcert_prediction *const each = answered(m, hidden, N, ATTCERT_EVERY_TOKEN);
  assert_int_equal(attcert_prediction_count(each), N);
  for (int t = 0; t < N; t++) {
    attcert_prediction *const last = answered(m, hidden, t + 1, -1);
    assert_int_equal(attcert_prediction_count(last), 1);
    const double lower = attcert_prediction_number(last, 0, "margin_lower");
    const double upper = attcert_prediction_number(last, 0, "margin_upper");
    assert_true(0.0 < lower && lower <= upper && upper - lower < 1e-12);
    assert_true(attcert_prediction_number(each, (size_t)t, "margin_lower") <= upper);
    assert_true(attcert_prediction_number(each, (size_t)t, "margin_upper") >= lower);
    assert_true(attcert_prediction_number(each, (size_t)t, "label") == attcert_prediction_number(last, 0, "label"));
    assert_true(attcert_prediction_number(each, (size_t)t, "rival") == attcert_prediction_number(last, 0, "rival"));
    assert_non_null(strstr(attcert_prediction_json(last), "\"schema\": \"attcert/predict/1\""));
    assert_non_null(strstr(attcert_prediction_text(last), "certified  its score exceeds every other by at least "));
    assert_true(isnan(attcert_prediction_number(last, 1, "label")) && isnan(attcert_prediction_number(last, 0, "x")));
    attcert_prediction_free(last);
  }
  attcert_prediction_free(each);
  attcert_model_close(m);
}

static void tokens_are_listed(void **state) {
  (void)state;
  const int ids[N] = {72, 101, 108};
  double hidden[N * D];
  attcert_model *const m = opened(hidden, "random:gpt2:8,2,1");
  attcert_prediction *const p = answered(m, hidden, N, -1);
  attcert_tokens *all, *few;
  assert_int_equal(attcert_tokens_new(&all, m, NULL, ids, N, NULL), ATTCERT_OK);
  assert_int_equal(attcert_tokens_new(&few, m, NULL, ids, 1, NULL), ATTCERT_OK);
  assert_int_equal(attcert_prediction_set_tokens(p, few, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_set_tokens(NULL, all, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_set_tokens(p, all, NULL), ATTCERT_OK);
  assert_int_equal(attcert_prediction_decide(p, 1000000, NULL, NULL), ATTCERT_OK); /* as many as there are */
  assert_non_null(strstr(attcert_prediction_text(p), "tokens     0 H  1 e  2 l"));
  attcert_tokens_free(all);
  attcert_tokens_free(few);
  attcert_prediction_free(p);
  attcert_model_close(m);
}

static int end_run(void *context, const char *stage, double done) {
  (void)done;
  assert_string_equal(stage, "scores");
  return ++*(int *)context > 3;
}

static void runs_can_be_ended(void **state) {
  (void)state;
  double hidden[N * D];
  int reports = 0;
  attcert_model *const m = opened(hidden, "random:gpt2:8,2,1");
  attcert_prediction *const p = answered(m, hidden, N, -1);
  attcert_options options;
  attcert_options_default(&options);
  options.progress = end_run;
  options.progress_context = &reports;
  assert_int_equal(attcert_prediction_decide(p, 2, &options, NULL), ATTCERT_CANCELLED);
  assert_true(attcert_prediction_count(p) == 0 && attcert_prediction_json(p) == NULL);
  assert_int_equal(attcert_prediction_decide(p, 2, NULL, NULL), ATTCERT_OK);
  assert_int_equal(attcert_prediction_count(p), 1);
  attcert_prediction_free(p);
  attcert_model_close(m);
}

static void what_is_none_is_refused(void **state) {
  (void)state;
  double hidden[N * D];
  attcert_error err;
  attcert_prediction *p;
  attcert_model *const m = opened(hidden, "random:bert:8,2,1");
  attcert_prediction_free(NULL);
  assert_int_equal(attcert_prediction_new(NULL, m, hidden, N, D, NULL, -1, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_new(&p, NULL, hidden, N, D, NULL, -1, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_new(&p, m, NULL, N, D, NULL, -1, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_new(&p, m, hidden, 0, D, NULL, -1, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_new(&p, m, hidden, N, D, "BertModel", -1, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_new(&p, m, hidden, N, D, NULL, ATTCERT_EVERY_TOKEN, &err), ATTCERT_INPUT);
  assert_true(p == NULL && strstr(err.message, "expected last with this head (sequence classification") != NULL);
  hidden[2] = NAN;
  assert_int_equal(attcert_prediction_new(&p, m, hidden, N, D, NULL, -1, &err), ATTCERT_INPUT);
  assert_null(p);
  assert_int_equal(attcert_prediction_decide(NULL, 1, NULL, &err), ATTCERT_INPUT);
  attcert_model_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_told),
      cmocka_unit_test(tokens_are_listed),
      cmocka_unit_test(runs_can_be_ended),
      cmocka_unit_test(what_is_none_is_refused),
  };
  return cmocka_run_group_tests_name("predictions", tests, NULL, NULL);
}
