/* Sinks, and what the doubles of biases and of shifts miss, where they alone decide: queries, keys and values of one
 * entry, mostly zeros, so that a weight is a ratio of exponentials of them. */
#include "executed_step.h"
#include "network/attention/step_attention.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TOKENS = 2, BITS = 120 };

/* Of both tokens, whose first value is 1, what the exact weights are; inputs: query, key, value. */
typedef struct {
  attention_heads heads;
  step s;
  step_scratch scratch;
  step_enclosure x[3], y;
} case_of;

static void init(case_of *c, const double *bias, const double *low, const double *sink) {
  c->heads = step_attention_plain(1, 1);
  c->heads.bias = bias;
  c->heads.bias_low = low;
  c->heads.span = TOKENS;
  c->heads.sink = sink;
  c->s = (step){.kind = &step_attention, .of = &c->heads, .inputs = 3, .rows = TOKENS, .cols = 1};
  step_scratch_init(&c->scratch, BITS);
  for (int k = 0; k < 3; k++) assert_int_equal(step_enclosure_init(&c->x[k], TOKENS, 1, BITS, NULL), ATTCERT_OK);
  assert_int_equal(step_enclosure_init(&c->y, TOKENS, 1, BITS, NULL), ATTCERT_OK);
  mpfr_set_ui(step_entry(&c->x[2], 0, 0)->lo, 1, MPFR_RNDN);
  mpfr_set_ui(step_entry(&c->x[2], 0, 0)->hi, 1, MPFR_RNDN);
}

static void clear(case_of *c) {
  for (int k = 0; k < 3; k++) step_enclosure_clear(&c->x[k]);
  step_enclosure_clear(&c->y);
  step_scratch_clear(&c->scratch);
}

static void enclose(case_of *c) {
  const step_enclosure *const in[] = {&c->x[0], &c->x[1], &c->x[2]};
  assert_int_equal(step_attention.enclose(&c->y, &c->s, in, &c->scratch, NULL), ATTCERT_OK);
}

static void assert_in(const interval *y, double low, double high) {
  assert_true(mpfr_get_d(y->lo, MPFR_RNDD) <= low + 1e-15 && mpfr_get_d(y->hi, MPFR_RNDU) >= high - 1e-15);
  assert_true(mpfr_get_d(y->hi, MPFR_RNDU) - mpfr_get_d(y->lo, MPFR_RNDD) <= 2.0 * (high - low) + 1e-15);
}

/* Forms without symbols: center and radius; executed where there is a format. first, second: the query of token 0, the
 * key of token 1. */
static void run_forms_of(double *center, double *radius, case_of *c, const step_format *format, double first,
                         double second) {
  form_symbols symbols = {0};
  form f[3], out = {0};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(form_init(&f[k], TOKENS, 1, NULL), ATTCERT_OK);
    for (int i = 0; i < TOKENS; i++) f[k].row[i].token = i;
    if (k == 0) f[k].center[0] = first;
    if (k == 1) f[k].center[1] = second;
    if (k == 2) f[k].center[0] = 1.0;
    assert_int_equal(form_measure(&f[k], &symbols, NULL), ATTCERT_OK);
  }
  const form *const in[] = {&f[0], &f[1], &f[2]};
  assert_int_equal(step_attention.forms(&out, &c->s, in, &symbols, 0, NULL), ATTCERT_OK);
  assert_int_equal(form_measure(&out, &symbols, NULL), ATTCERT_OK);
  if (format != NULL) assert_int_equal(step_attention.execution(&out, &c->s, in, &symbols, format, NULL), ATTCERT_OK);
  for (int i = 0; i < TOKENS; i++) {
    center[i] = out.center[i];
    radius[i] = form_spread(&out, i, 0) + out.radius[i];
  }
  for (int k = 0; k < 3; k++) form_clear(&f[k]);
  form_clear(&out);
  form_symbols_clear(&symbols);
}

static void run_forms(double *center, double *radius, case_of *c, const step_format *format) {
  run_forms_of(center, radius, c, format, 0.0, 0.0);
}

static void run_shifted(double *center, double *radius, case_of *c) {
  run_forms_of(center, radius, c, NULL, 2.0, 1.5);
}

/* Token 0 has scores 0 and b = 2 + low: its output is 1 / (1 + e^b), enclosed as closely as b is known. */
static void a_bias_is_more_than_its_double(void **state) {
  (void)state;
  static const double bias[] = {0.0, 0.0, 2.0};
  for (int k = 8; k < 60; k += 17) {
    const double low[] = {0.0, 0.0, ldexp(1.0, -k)};
    double center[TOKENS], radius[TOKENS];
    mpfr_t exact;
    case_of c;
    mpfr_init2(exact, 300);
    mpfr_set_d(exact, bias[2], MPFR_RNDN);
    mpfr_add_d(exact, exact, low[2], MPFR_RNDN);
    mpfr_exp(exact, exact, MPFR_RNDN);
    mpfr_add_ui(exact, exact, 1, MPFR_RNDN);
    mpfr_ui_div(exact, 1, exact, MPFR_RNDN);
    init(&c, bias, low, NULL);
    enclose(&c);
    interval *const y = step_entry(&c.y, 0, 0);
    assert_true(mpfr_lessequal_p(y->lo, exact) && mpfr_greaterequal_p(y->hi, exact));
    mpfr_sub(y->hi, y->hi, y->lo, MPFR_RNDU);
    assert_true(mpfr_get_d(y->hi, MPFR_RNDU) <= 0x1p-102);
    run_forms(center, radius, &c, NULL);
    mpfr_sub_d(exact, exact, center[0], MPFR_RNDN);
    assert_true(fabs(mpfr_get_d(exact, MPFR_RNDA)) <= radius[0] && radius[0] <= low[2] + 1e-14);
    assert_true(radius[1] <= 1e-14);
    mpfr_clear(exact);
    clear(&c);
  }
}

/* 1 / (2 + e^s) each, also where the sink takes everything, or nothing; and the gradient by the values. */
static void a_sink_takes_its_part(void **state) {
  (void)state;
  static const double sinks[] = {0.0, -1.5, 3.0, 1e3, -1e3, 700.0};
  for (size_t k = 0; k < sizeof sinks / sizeof sinks[0]; k++) {
    double center[TOKENS], radius[TOKENS], value[TOKENS], slope[3][TOKENS] = {{0.0}}, x[3][TOKENS] = {{0.0}};
    const double part = 1.0 / (2.0 + exp(sinks[k])), ones[TOKENS] = {1.0, 1.0};
    case_of c;
    init(&c, NULL, NULL, &sinks[k]);
    enclose(&c);
    run_forms(center, radius, &c, NULL);
    x[2][0] = 1.0;
    attcert_matrix in[3], to[3], y = {TOKENS, 1, value}, dy = {TOKENS, 1, (double *)ones};
    for (int i = 0; i < 3; i++) {
      in[i] = (attcert_matrix){TOKENS, 1, x[i]};
      to[i] = (attcert_matrix){TOKENS, 1, slope[i]};
    }
    const attcert_matrix *const from[] = {&in[0], &in[1], &in[2]};
    assert_int_equal(step_attention.value(&y, &c.s, from, NULL), ATTCERT_OK);
    attcert_matrix *const back[] = {&to[0], &to[1], &to[2]};
    assert_int_equal(step_attention.pull_back(back, &c.s, from, &dy, NULL), ATTCERT_OK);
    for (int i = 0; i < TOKENS; i++) {
      assert_in(step_entry(&c.y, i, 0), part, part);
      assert_true(fabs(center[i] - part) <= radius[i] + 1e-16 && radius[i] <= 1e-13);
      assert_true(fabs(value[i] - part) <= 1e-15 && fabs(slope[2][i] - 2.0 * part) <= 1e-15);
    }
    clear(&c);
  }
}

/* Token 0 has the query 2; the key of token 1 is 1.5, its shifts u = 1 and w = 0.5: s = q k + q u + w k = 5.75 and what
 * the doubles of u and w miss, the output 1 / (1 + e^s). A low part of u decides, without w in kind 1; one of w without
 * u; then the error of both. */
static void a_shift_is_more_than_its_double(void **state) {
  (void)state;
  static const double u[] = {0.0, 0.0, 1.0}, w[] = {0.0, 0.0, 0.5};
  for (int k = 10; k < 60; k += 12) {
    for (int kind = 0; kind < 4; kind++) {
      const double part = ldexp(1.0, -k), low[] = {0.0, 0.0, kind == 3 ? 0.0 : part}, none[TOKENS + 1] = {0.0};
      const attention_shifts shifts = {.query = kind == 1 ? NULL : w,
                                       .query_low = kind == 2 ? low : none,
                                       .key = kind == 2 ? NULL : u,
                                       .key_low = kind == 1 || kind == 0 ? low : none,
                                       .error = kind == 3 ? part : 0.0};
      const double factor = kind == 2 ? 1.5 : 2.0; /* of the low part in the score */
      double center[TOKENS], radius[TOKENS];
      mpfr_t exact;
      case_of c;
      mpfr_init2(exact, 300);
      init(&c, NULL, NULL, NULL);
      c.heads.shifts = &shifts;
      mpfr_set_d(step_entry(&c.x[0], 0, 0)->lo, 2.0, MPFR_RNDN);
      mpfr_set_d(step_entry(&c.x[0], 0, 0)->hi, 2.0, MPFR_RNDN);
      mpfr_set_d(step_entry(&c.x[1], 1, 0)->lo, 1.5, MPFR_RNDN);
      mpfr_set_d(step_entry(&c.x[1], 1, 0)->hi, 1.5, MPFR_RNDN);
      mpfr_set_d(exact, 3.0 + (kind == 2 ? 0.0 : 2.0) + (kind == 1 ? 0.0 : 0.75), MPFR_RNDN);
      /* an error of both, at its end */
      mpfr_add_d(exact, exact, kind == 3 ? 3.5 * part : factor * part, MPFR_RNDN);
      mpfr_exp(exact, exact, MPFR_RNDN);
      mpfr_add_ui(exact, exact, 1, MPFR_RNDN);
      mpfr_ui_div(exact, 1, exact, MPFR_RNDN);
      enclose(&c);
      interval *const y = step_entry(&c.y, 0, 0);
      assert_true(mpfr_lessequal_p(y->lo, exact) && mpfr_greaterequal_p(y->hi, exact));
      mpfr_sub(y->hi, y->hi, y->lo, MPFR_RNDU);
      assert_true(mpfr_get_d(y->hi, MPFR_RNDU) <= (kind == 3 ? 7.0 * part : 0.0) + 0x1p-100);
      run_shifted(center, radius, &c);
      mpfr_sub_d(exact, exact, center[0], MPFR_RNDN);
      assert_true(fabs(mpfr_get_d(exact, MPFR_RNDA)) <= radius[0] && radius[0] <= 4.0 * part + 1e-13);
      mpfr_clear(exact);
      clear(&c);
    }
  }
}

/* In double, as above: the derivatives of y_0 = P_0 are -P_0 P_1 (k_1 + u) by q_0, -P_0 P_1 (q_0 + w) by k_1. */
static void shifts_are_in_the_gradient(void **state) {
  (void)state;
  static const double u[] = {0.0, 0.0, 1.0}, w[] = {0.0, 0.0, 0.5}, none[TOKENS + 1] = {0.0};
  for (int kind = 0; kind < 3; kind++) {
    const attention_shifts shifts = {kind == 1 ? NULL : w, none, kind == 2 ? NULL : u, none, 0.0};
    const double of_u = kind == 2 ? 0.0 : 1.0, of_w = kind == 1 ? 0.0 : 0.5;
    const double score = 3.0 + 2.0 * of_u + 1.5 * of_w, part = 1.0 / (1.0 + exp(score)), turn = -part * (1.0 - part);
    double x[3][TOKENS] = {{2.0, 0.0}, {0.0, 1.5}, {1.0, 0.0}}, slope[3][TOKENS] = {{0.0}}, value[TOKENS];
    double above[TOKENS] = {1.0, 0.0};
    attcert_matrix in[3], to[3], y = {TOKENS, 1, value}, dy = {TOKENS, 1, above};
    case_of c;
    init(&c, NULL, NULL, NULL);
    c.heads.shifts = &shifts;
    for (int i = 0; i < 3; i++) {
      in[i] = (attcert_matrix){TOKENS, 1, x[i]};
      to[i] = (attcert_matrix){TOKENS, 1, slope[i]};
    }
    const attcert_matrix *const from[] = {&in[0], &in[1], &in[2]};
    attcert_matrix *const back[] = {&to[0], &to[1], &to[2]};
    assert_int_equal(step_attention.value(&y, &c.s, from, NULL), ATTCERT_OK);
    assert_int_equal(step_attention.pull_back(back, &c.s, from, &dy, NULL), ATTCERT_OK);
    assert_true(fabs(value[0] - part) <= 1e-15);
    assert_true(fabs(slope[0][0] - turn * (1.5 + of_u)) <= 1e-15);
    assert_true(fabs(slope[1][1] - turn * (2.0 + of_w)) <= 1e-15);
    clear(&c);
  }
}

/* Scores near 7000, each rounded on its own, and a sink beside them: both values are 1, so that the mean moves by what
 * the sink's weight does. */
static void a_sink_moves_an_executed_mean(void **state) {
  (void)state;
  double used = 0.0;
  for (int k = 0; k < 64; k++) {
    const double x[] = {100.0 + k / 63.0, 1.0, 100.01 + k / 61.0, 1.0}, sink = x[2] * x[2] / sqrt(2.0);
    attention_heads heads = step_attention_plain(1, 2);
    heads.sink = &sink;
    const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = 2};
    used = fmax(used, executed_step_used("float32", &s, x, 2, 1, 1));
  }
  print_message("sink: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.03);
}

/* Nothing is said of how biases of two doubles and shifts are executed. */
static void shifts_are_not_executed(void **state) {
  (void)state;
  static const double bias[] = {1.0, 0.0, 2.0}, low[] = {0.0, 0.0, 0x1p-54}, sink = 1.0;
  const step_format format = step_format_of(float_format_named("float32"), 4.0);
  const attention_shifts shifts = {.key = bias, .key_low = low};
  for (int k = 0; k < 4; k++) {
    double center[TOKENS], radius[TOKENS];
    case_of c;
    init(&c, bias, k == 1 ? low : NULL, k == 2 ? &sink : NULL);
    if (k == 3) c.heads.shifts = &shifts;
    run_forms(center, radius, &c, &format);
    assert_true(k < 3 ? radius[0] > 1e-8 && radius[0] < 1e-5 : isinf(radius[0]));
    clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bias_is_more_than_its_double),  cmocka_unit_test(a_sink_takes_its_part),
      cmocka_unit_test(a_shift_is_more_than_its_double), cmocka_unit_test(shifts_are_in_the_gradient),
      cmocka_unit_test(a_sink_moves_an_executed_mean),   cmocka_unit_test(shifts_are_not_executed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
