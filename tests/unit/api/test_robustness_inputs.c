/* Norms, masks, boxes and choices through handles: verdicts that follow from each other, and what contradicts or does
 * not fit is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "attcert.h"

enum { TOKENS = 3, DIM = 8 };

typedef struct {
  attcert_model *model;
  attcert_robustness *question;
  double hidden[TOKENS * DIM];
} setting;

static void open_setting(setting *s) {
  assert_int_equal(attcert_model_open(&s->model, "random:bert:8,2,1", 7, NULL), ATTCERT_OK);
  for (int k = 0; k < TOKENS * DIM; k++) s->hidden[k] = sin(1.0 + 3.0 * k);
  assert_int_equal(attcert_robustness_new(&s->question, s->model, s->hidden, TOKENS, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_set_number(s->question, "attack", 0.0, NULL), ATTCERT_OK);
}

static void close_setting(setting *s) {
  attcert_robustness_free(s->question);
  attcert_model_close(s->model);
}

static double certified(const setting *s) {
  attcert_robustness_decide(s->question, NULL, NULL);
  return attcert_robustness_number(s->question, "certified");
}

static void norms_are_ordered(void **state) {
  (void)state;
  setting s;
  attcert_error err;
  open_setting(&s);
  const double two = certified(&s);
  assert_int_equal(attcert_robustness_set_text(s.question, "norm", "1", NULL), ATTCERT_OK);
  const double one = certified(&s);
  assert_non_null(strstr(attcert_robustness_json(s.question), "\"norm\": \"1\""));
  assert_int_equal(attcert_robustness_set_text(s.question, "norm", "inf", NULL), ATTCERT_OK);
  const double most = certified(&s);
  assert_true(one >= two && two > most && most > 0.0);
  assert_int_equal(attcert_robustness_set_text(s.question, "norm", "3", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "expected 2, inf or 1"));
  assert_int_equal(attcert_robustness_set_text(s.question, "ball", "entry", NULL), ATTCERT_OK);
  assert_true(certified(&s) == most);
  assert_int_equal(attcert_robustness_set_text(s.question, "norm", "1", NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(s.question, NULL, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "contradict each other"));
  close_setting(&s);
}

/* The answer is of token 0: without the last one as a key, it is that of the tokens before. */
static void a_masked_token_is_not_there(void **state) {
  (void)state;
  enum { FEWER = TOKENS - 1 };
  setting s;
  attcert_robustness *shorter;
  attcert_error err;
  bool mask[TOKENS * TOKENS];
  double bias[TOKENS * TOKENS] = {0};
  for (int k = 0; k < TOKENS * TOKENS; k++) mask[k] = k % TOKENS < FEWER;
  open_setting(&s);
  const double whole = (certified(&s), attcert_robustness_number(s.question, "margin_lower"));
  assert_int_equal(attcert_robustness_set_pairs(s.question, mask, 0, NULL, 0, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_pairs(s.question, mask, 1, bias, 1, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_set_pairs(s.question, mask, 1, NULL, 0, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_new(&shorter, s.model, s.hidden, FEWER, DIM, NULL), ATTCERT_OK);
  attcert_robustness_decide(shorter, NULL, NULL);
  certified(&s);
  const double low = attcert_robustness_number(s.question, "margin_lower");
  const double high = attcert_robustness_number(s.question, "margin_upper");
  assert_true(low <= attcert_robustness_number(shorter, "margin_upper"));
  assert_true(high >= attcert_robustness_number(shorter, "margin_lower"));
  assert_true(high - low < 1e-9 && fabs(whole - low) > 1e-6);
  assert_non_null(
      strstr(attcert_robustness_json(s.question), "a mask of all heads, True where a key takes part; bias"));
  attcert_robustness_free(shorter);
  close_setting(&s);
}

static void a_row_without_keys_is_refused(void **state) {
  (void)state;
  setting s;
  attcert_prediction *prediction;
  attcert_error err;
  const bool mask[TOKENS * TOKENS] = {false};
  open_setting(&s);
  assert_int_equal(attcert_robustness_set_pairs(s.question, mask, 1, NULL, 0, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_decide(s.question, NULL, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "its pairs were refused"));
  assert_int_equal(attcert_prediction_new(&prediction, s.model, s.hidden, TOKENS, DIM, NULL, -1, NULL), ATTCERT_OK);
  assert_int_equal(attcert_prediction_set_pairs(prediction, mask, 1, NULL, 0, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_decide(prediction, 1, NULL, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_prediction_set_pairs(NULL, mask, 1, NULL, 0, &err), ATTCERT_INPUT);
  attcert_prediction_free(prediction);
  close_setting(&s);
}

static void masks_let_less_move(void **state) {
  (void)state;
  setting s;
  bool mask[TOKENS * DIM] = {false};
  open_setting(&s);
  const double whole = certified(&s);
  mask[DIM + 2] = mask[DIM + 3] = true;
  assert_int_equal(attcert_robustness_set_mask(s.question, mask, TOKENS, DIM, NULL), ATTCERT_OK);
  assert_true(certified(&s) > whole);
  assert_non_null(strstr(attcert_robustness_json(s.question), "\"entries\": 2"));
  assert_int_equal(attcert_robustness_set_mask(s.question, mask, DIM, TOKENS, NULL), ATTCERT_INPUT);
  memset(mask, 0, sizeof mask);
  assert_int_equal(attcert_robustness_set_mask(s.question, mask, TOKENS, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(s.question, NULL, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_mask(s.question, NULL, 0, 0, NULL), ATTCERT_OK);
  assert_true(certified(&s) == whole);
  assert_int_equal(attcert_robustness_set_mask(NULL, mask, TOKENS, DIM, NULL), ATTCERT_INPUT);
  close_setting(&s);
}

static void boxes_are_certified_or_not(void **state) {
  (void)state;
  setting s;
  double least[TOKENS * DIM], most[TOKENS * DIM];
  open_setting(&s);
  const double radius = (attcert_robustness_set_text(s.question, "norm", "inf", NULL), certified(&s));
  for (int widen = 0; widen < 2; widen++) { /* within the l_inf ball, and far beyond */
    for (int k = 0; k < TOKENS * DIM; k++) {
      least[k] = s.hidden[k] - (widen ? 100.0 : 0.9) * radius;
      most[k] = s.hidden[k] + (widen ? 100.0 : 0.9) * radius;
    }
    assert_int_equal(attcert_robustness_set_box(s.question, least, most, TOKENS, DIM, NULL), ATTCERT_OK);
    assert_int_equal(attcert_robustness_decide(s.question, NULL, NULL), widen ? ATTCERT_UNDECIDED : ATTCERT_OK);
    assert_true(attcert_robustness_number(s.question, "certified") == (widen ? 0.0 : 1.0));
  }
  least[3] = most[3] + 1.0;
  assert_int_equal(attcert_robustness_set_box(s.question, least, most, TOKENS, DIM, NULL), ATTCERT_INPUT);
  least[3] = NAN;
  assert_int_equal(attcert_robustness_set_box(s.question, least, most, TOKENS, DIM, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_box(s.question, least, NULL, TOKENS, DIM, NULL), ATTCERT_INPUT);
  least[3] = s.hidden[3] + 1.0; /* the input is outside */
  most[3] = s.hidden[3] + 2.0;
  assert_int_equal(attcert_robustness_set_box(s.question, least, most, TOKENS, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(s.question, NULL, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_box(s.question, NULL, NULL, 0, 0, NULL), ATTCERT_OK);
  assert_true(certified(&s) == radius);
  close_setting(&s);
}

static void choices_are_enumerated_or_hulled(void **state) {
  (void)state;
  setting s;
  double rows[2 * DIM];
  const bool mask[TOKENS * DIM] = {true};
  open_setting(&s);
  for (int k = 0; k < 2 * DIM; k++) rows[k] = s.hidden[DIM + k % DIM] + 1e-6 * k;
  assert_int_equal(attcert_robustness_set_choices(s.question, 1, rows, 2, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(s.question, NULL, NULL), ATTCERT_OK);
  assert_true(attcert_robustness_number(s.question, "certified") == 1.0);
  assert_non_null(strstr(attcert_robustness_json(s.question), "\"method\": \"enumeration\""));
  assert_int_equal(attcert_robustness_set_number(s.question, "enumerate", 2.0, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(s.question, NULL, NULL), ATTCERT_OK);
  assert_non_null(strstr(attcert_robustness_json(s.question), "\"method\": \"hull\""));
  assert_int_equal(attcert_robustness_set_mask(s.question, mask, TOKENS, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(s.question, NULL, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_choices(s.question, TOKENS, rows, 2, DIM, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_choices(s.question, 1, rows, 2, DIM - 1, NULL), ATTCERT_INPUT);
  rows[5] = INFINITY;
  assert_int_equal(attcert_robustness_set_choices(s.question, 1, rows, 2, DIM, NULL), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_mask(s.question, NULL, 0, 0, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_set_choices(s.question, 1, NULL, 0, 0, NULL), ATTCERT_OK);
  assert_true(certified(&s) > 0.0 && strstr(attcert_robustness_json(s.question), "\"ball\": \"sequence\"") != NULL);
  close_setting(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(norms_are_ordered),
                                     cmocka_unit_test(a_masked_token_is_not_there),
                                     cmocka_unit_test(a_row_without_keys_is_refused),
                                     cmocka_unit_test(masks_let_less_move),
                                     cmocka_unit_test(boxes_are_certified_or_not),
                                     cmocka_unit_test(choices_are_enumerated_or_hulled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
