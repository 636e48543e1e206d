/* The report of a ball: both forms say the same, with its ends rounded outward. */
#include "report/report_ball.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bool some[4] = {false, true, false, true};

/* 1/3 from below and 2/3 from above, in 53 bits. */
static void fixture_init(ball_enclosure *b) {
  ball_enclosure_init(b);
  mpfr_set_ui(b->lower, 1, MPFR_RNDN);
  mpfr_div_ui(b->lower, b->lower, 3, MPFR_RNDD);
  mpfr_set_ui(b->upper, 2, MPFR_RNDN);
  mpfr_div_ui(b->upper, b->upper, 3, MPFR_RNDU);
  b->steps = 7;
}

static char *written(const report_ball *ball, bool json) {
  char *text;
  size_t size;
  fact_writer f;
  FILE *const stream = open_memstream(&text, &size);
  assert_non_null(stream);
  fact_writer_begin(&f, stream, json, "certify");
  report_ball_write(&f, ball);
  fact_writer_end(&f);
  fclose(stream);
  return text;
}

static json_t *json_of(const report_ball *ball) {
  char *const text = written(ball, true);
  json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  free(text);
  assert_non_null(root);
  return root;
}

static void assert_holds(const char *text, const char *part) {
  if (strstr(text, part) == NULL) fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_text(void **state) {
  (void)state;
  ball_enclosure b;
  fixture_init(&b);
  const ball_region region = {.radius = 0.25, .kind = BALL_TOKEN, .moves = some};
  char *text = written(&(report_ball){&region, &b, 4, NULL}, false);
  assert_holds(text, "ball       every |x'_i - x_i| <= 0.25, and x'_i = x_i but for i = 1, 3\n");
  assert_holds(text, "in ball    3.3333333333333331e-01 <= sup ||D_X' f||_2 <= 6.6666666666666675e-01\n");
  assert_holds(text, "hexadecimal 0x1.5555555555555p-2 <= sup ||D_X' f||_2 <= 0x1.5555555555556p-1\n");
  assert_holds(text, "so ||f(Y) - f(Z)||_F <= 0.666667 ||Y - Z||_F for all Y, Z in the ball\n");
  assert_holds(text, "by T11, 2.001 times the lower, found after 7 steps of ascent");
  free(text);
  const ball_region all = {.radius = 1e-3, .kind = BALL_SEQUENCE};
  mpfr_set_zero(b.lower, 1);
  text = written(&(report_ball){&all, &b, 4, NULL}, false);
  assert_holds(text, "ball       ||X' - X||_F <= 0.001\n");
  assert_holds(text, "by T11, found after");
  free(text);
  ball_enclosure_clear(&b);
}

static void test_json(void **state) {
  (void)state;
  ball_enclosure b;
  fixture_init(&b);
  const ball_region region = {.radius = 0.25, .kind = BALL_TOKEN, .moves = some};
  json_t *root = json_of(&(report_ball){&region, &b, 4, NULL});
  json_t *ball = json_object_get(root, "ball");
  assert_string_equal(json_string_value(json_object_get(ball, "kind")), "token");
  assert_true(json_real_value(json_object_get(ball, "radius")) == 0.25);
  assert_string_equal(json_string_value(json_object_get(ball, "norm")), "2");
  json_t *const words = json_object_get(ball, "words");
  assert_int_equal(json_array_size(words), 2);
  assert_int_equal(json_integer_value(json_array_get(words, 1)), 3);
  assert_true(json_real_value(json_object_get(ball, "lower")) <= mpfr_get_d(b.lower, MPFR_RNDN));
  assert_true(json_real_value(json_object_get(ball, "upper")) >= mpfr_get_d(b.upper, MPFR_RNDN));
  assert_string_equal(json_string_value(json_object_get(ball, "upper_hex")), "0x1.5555555555556p-1");
  assert_true(json_real_value(json_object_get(ball, "ratio")) >= 2.0);
  json_decref(root);
  const ball_region all = {.kind = BALL_SEQUENCE};
  mpfr_set_inf(b.upper, 1);
  root = json_of(&(report_ball){&all, &b, 4, NULL});
  ball = json_object_get(root, "ball");
  assert_string_equal(json_string_value(json_object_get(ball, "words")), "all");
  assert_true(json_is_null(json_object_get(ball, "upper")) && json_is_null(json_object_get(ball, "ratio")));
  json_decref(root);
  ball_enclosure_clear(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_json)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
