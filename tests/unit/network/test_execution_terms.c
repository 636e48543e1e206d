/* One step executed in a format where a single term of its bound is nearly all of it: what the step adds stays below
 * the bound, and uses enough of it that the step without that term would be noticed. Inputs are numbers of the
 * format. */
#include "executed_step.h"
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network/attention/step_attention.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ENTRIES = 64 };

/* Two scores near 10^4, each rounded on its own, of values 1 and -1 in the second column: what the scores are off moves
 * the mean by as much, and the rounding of weights and means, 1e-7, is nothing beside it. */
static void scores_move_the_mean(void **state) {
  (void)state;
  const attention_heads heads = step_attention_plain(1, 2);
  const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = 2};
  double used = 0.0;
  for (int k = 0; k < 64; k++) {
    const double x[] = {100.0 + k / 63.0, 1.0, 100.01 + k / 61.0, -1.0};
    used = fmax(used, executed_step_used("float32", &s, x, 2, 1, 1));
  }
  print_message("scores: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.05);
}

/* One number, then many that are a little less than half of its last unit: a sum that begins with it loses each. */
static void a_sum_loses_every_small_term(void **state) {
  (void)state;
  double x[ENTRIES], ones[ENTRIES];
  for (int a = 0; a < ENTRIES; a++) {
    x[a] = a == 0 ? 1.0 : 0.984375 * 0x1p-24;
    ones[a] = 1.0;
  }
  const step s = {
      .kind = &step_affine, .of = &(affine_weights){.weight = ones}, .layer = -1, .inputs = 1, .rows = 1, .cols = 1};
  const double used = executed_step_used("float32", &s, x, ENTRIES, 0, 0);
  print_message("sum: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.9);
}

/* The same in q . k: a first term of 2^12, then 30 that are lost in one score and doubled in the other, so that the
 * mean of 1 and -1 moves by what both are off; the rounding of their difference is nothing beside that. */
static void sums_in_scores_move_the_mean(void **state) {
  (void)state;
  enum { DIM = ENTRIES / 2 };
  double x[ENTRIES];
  for (int a = 0; a < DIM; a++) {
    x[a] = a == 0 ? 64.0 : 0.992 * 0x1p-6;
    x[DIM + a] = a == 0 ? 64.0 : 1.04 * 0x1p-6;
  }
  x[DIM - 1] = 1.0;
  x[2 * DIM - 1] = -1.0;
  const attention_heads heads = step_attention_plain(1, DIM);
  const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = DIM};
  const double used = executed_step_used("float32", &s, x, DIM, DIM - 1, DIM - 1);
  print_message("sums in scores: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.3);
}

/* Two products that cancel, each rounded five times the worst way: nothing is lost in their sum. */
static void products_are_rounded_five_times(void **state) {
  (void)state;
  step_format format;
  step_summands sum = {0};
  double met;
  format = step_format_of(float_format_named("float32"), EXECUTED_ULP);
  step_summands_add(&sum, 1.0, 0.0);
  step_summands_add(&sum, -1.0, 0.0);
  const double off = pow(1.0 + 0x1p-24, 5.0) - pow(1.0 - 0x1p-24, 5.0);
  const double bound = step_summands_error(&met, &sum, step_format_gamma(&format, 5.0), &format);
  print_message("products: part of the bound used %.3f\n", off / bound);
  assert_true(off <= bound && off > 0.8 * bound);
}

/* Functions within 64 units: the inverse root's error is that of every entry; exponentials of two scores that are
 * nearly 0, on both sides of 1, are off by 63 units of 2^-23 and of 2^-24, and half of the difference moves the mean.
 */
static void inaccurate_functions_move_the_rest(void **state) {
  (void)state;
  const double apart[] = {0.96, -0.96}, near[] = {0x1p-10, -0x1p-10};
  layernorm_weights norm;
  const step layernorm = layernorm_step(&norm, 2, 0x1p-30);
  const attention_heads heads = step_attention_plain(1, 1);
  const step attention = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = 1};
  const step_format format = step_format_of(float_format_named("float32"), 64.0);
  const double root = executed_step_part_used(&format, &layernorm, apart, 2, 0, 1);
  const double weights = executed_step_part_used(&format, &attention, near, 1, 0, 0);
  print_message("inverse root: largest part of the bound used %.3f; exponentials: %.3f\n", root, weights);
  assert_true(root > 0.4 && weights > 0.2);
}

/* A softcap whose tanh is within 1024 units: of two scores that are nearly the same, tanh is a little more and a little
 * less than 1/2, where such a unit changes, and a quarter of what it is off, times the cap, moves the mean. The rest of
 * the bound is less than a tenth. */
static void an_inaccurate_curve_moves_the_mean(void **state) {
  (void)state;
  const double x[] = {5.848, 1.0, 6.173, -1.0};
  attention_heads heads = step_attention_plain(1, 2);
  heads.divided_by = 1.0;
  heads.curve = &curve_tanh;
  heads.cap = 64.0;
  const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = 2};
  const step_format format = step_format_of(float_format_named("float32"), 1024.0);
  const double used = executed_step_part_used(&format, &s, x, 2, 1, 1);
  print_message("softcap: largest part of the bound used %.3f\n", used);
  assert_true(used > 0.15);
}

/* Small scores and biases near 100, by offset, by pair or half of each, whose sums are stored to the nearest half. */
static void sums_with_biases_move_the_mean(double least, bool offsets, bool by_pair) {
  double used = 0.0;
  for (int k = 0; k < 32; k++) {
    const double x[] = {0.5 + k / 64.0, 1.0, 1.25 - k / 64.0, -1.0}, share = offsets && by_pair ? 0.5 : 1.0;
    const double bias[] = {100.5 * share, (100.0 + k % 3) * share, 101.0 * share};
    const double of_pairs[] = {bias[1], bias[2], bias[0], bias[1]};
    const attention_pair_lists pairs = {.rows = 2, .keys = 2, .biases = 1, .bias = of_pairs};
    attention_heads heads = step_attention_plain(1, 2);
    heads.bias = offsets ? bias : NULL;
    heads.span = 2;
    heads.pairs = by_pair ? &pairs : NULL;
    const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = 2};
    used = fmax(used, executed_step_used("bfloat16", &s, x, 2, 1, 1));
  }
  print_message("biases: largest part of the bound used %.3f\n", used);
  assert_true(used > least);
}

static void sums_with_biases_by_offset(void **state) {
  (void)state;
  sums_with_biases_move_the_mean(0.2, true, false);
}

static void sums_with_biases_by_pair(void **state) {
  (void)state;
  sums_with_biases_move_the_mean(0.2, false, true);
}

static void sums_with_both(void **state) {
  (void)state;
  sums_with_biases_move_the_mean(0.1, true, true);
}

/* Forms pass through biases that are numbers of the format. */
static void biases_are_rounded(void **state) {
  (void)state;
  const double bias[] = {0.1, -3.3, 100.3, 7.0, 1e-3, -0.7};
  attention_heads heads = step_attention_plain(2, 1);
  const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 2, .cols = 2};
  const step_format format = step_format_of(float_format_named("bfloat16"), EXECUTED_ULP);
  for (int given = 0; given < 2; given++) {
    void *of;
    const attention_pair_lists pairs = {.rows = 1, .keys = 6, .biases = 1, .bias = bias};
    heads.bias = given ? bias : NULL;
    heads.span = 2;
    heads.pairs = given ? &pairs : NULL;
    assert_int_equal(step_attention.round(&of, &s, 2, &format, NULL), ATTCERT_OK);
    const attention_heads *const rounded = of;
    assert_true((rounded->bias != NULL) == (given == 1));
    for (int k = 0; k < 6 && given; k++) {
      const double nearest = step_format_nearest(&format, bias[k]);
      assert_true(rounded->bias[k] == nearest && rounded->pairs->bias[k] == nearest);
    }
    free(of);
  }
}

/* One token, whose second query is large and its key small. */
static void constants_and_factors_out_of_range_have_no_bound(void **state) {
  (void)state;
  static const struct {
    const char *format;
    double query, divided_by, cap;
    bool bounded;
  } cases[] = {
      {"float16", 1.0, 4.0, 0.0, true},      {"float16", 1.0, 4.0, 50.0, true},  {"float16", 1.0, 4.0, 1e5, false},
      {"float16", 1.0, 4.0, 0x1p-14, false}, {"float16", 1.0, 1e10, 0.0, false}, {"float32", 1.0, 1e10, 1e5, true},
      {"float16", 5e4, 1.0, 0.0, true},      {"float16", 5e4, 0.25, 0.0, false}, {"float32", 5e4, 0.25, 0.0, true}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const double x[] = {0x1p-10, cases[k].query};
    attention_heads heads = step_attention_plain(2, 1);
    heads.key_heads = 1;
    heads.divided_by = cases[k].divided_by;
    heads.curve = cases[k].cap > 0.0 ? &curve_tanh : NULL;
    heads.cap = cases[k].cap;
    const step s = {.kind = &step_attention, .of = &heads, .layer = -1, .inputs = 3, .rows = 1, .cols = 2};
    const step_format format = step_format_of(float_format_named(cases[k].format), EXECUTED_ULP);
    if (executed_step_bounded(&format, &s, x, 2) != cases[k].bounded) fail_msg("case %zu", k);
    if (cases[k].bounded) executed_step_part_used(&format, &s, x, 2, 0, 1);
  }
}

/* Where a term of an activation's error is largest beside the others: both roundings behind the function inside GELU
 * where x is small, and that function's own error where it is nearly 1. */
static void activations_err_where_their_terms_are_large(void **state) {
  (void)state;
  static const struct {
    const range_curve *curve;
    double from, least;
  } cases[] = {{&curve_gelu, 0x1p-9, 0.5},       {&curve_gelu, 3.0, 0.5},       {&curve_gelu_tanh, 0x1p-9, 0.5},
               {&curve_gelu_tanh, 3.0, 0.5},     {&curve_silu, 0x1p-9, 0.5},    {&curve_silu, 3.0, 0.3},
               {&curve_quick_gelu, 0x1p-9, 0.5}, {&curve_quick_gelu, 3.0, 0.3}, {&curve_tanh, 0.5, 0.5}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const step s = {
        .kind = &step_activation, .of = cases[k].curve, .layer = -1, .inputs = 1, .rows = 1, .cols = ENTRIES};
    double x[ENTRIES];
    for (int a = 0; a < ENTRIES; a++) x[a] = cases[k].from * (1.0 + a / 67.0);
    const double used = executed_step_used("float32", &s, x, ENTRIES, 0, ENTRIES - 1);
    print_message("case %zu from %g: largest part of the bound used %.3f\n", k, cases[k].from, used);
    assert_true(used > cases[k].least);
  }
}

/* The relative errors of a result that is computed and stored, of one that is only computed, and of a function. */
typedef struct {
  double stored, computed, function;
} worst_errors;

/* GELU of x < 0 with every rounding the worst way, but that which stores it: those of the argument and its constants,
 * and the function's, away from 0, where 1 and the function cancel; the last two towards it. */
static double gelu_rounded_worst(const range_curve *curve, double x, const worst_errors *w) {
  const double more = (1.0 + w->computed) * (1.0 + w->stored), constant = more * (1.0 + w->computed);
  double inner;
  if (curve == &curve_gelu) {
    inner = erf(x * sqrt(0.5) * constant * more);
  } else {
    const double cube = 0.044715 * pow(x, 3.0) * (1.0 + w->function) * (1.0 + w->stored) * constant * more;
    inner = tanh(0.79788456080286536 * (x + cube) * more * constant * more);
  }
  const double sum = 1.0 + inner * (1.0 + w->function) * (1.0 + w->stored);
  return 0.5 * x * sum * (1.0 - w->computed) * (1.0 - w->stored) * (1.0 - w->computed);
}

/* t / (1 + exp(-t)) of t < 0 by the exponential, the reciprocal and the product, likewise: all of them towards 0. */
static double gated_rounded_worst(const range_curve *curve, double x, const worst_errors *w) {
  const double more = (1.0 + w->computed) * (1.0 + w->stored);
  const double t = curve == &curve_silu ? x : 1.702 * x * more * (1.0 + w->computed) * more;
  const double sum = (1.0 + exp(-t) * (1.0 + w->function) * (1.0 + w->stored)) * more;
  return x / sum * (1.0 - w->computed) * (1.0 - w->stored) * (1.0 - w->computed);
}

/* Where the argument's roundings count most beside the others: |t phi'(t)| is largest and 1 + phi(t) small. */
static void roundings_inside_activations_all_go_one_way(void **state) {
  (void)state;
  static const struct {
    const char *format;
    const range_curve *curve;
    double ulp, least;
  } cases[] = {{"float32", &curve_gelu, 0.5, 0.9},         {"float32", &curve_gelu_tanh, 0.5, 0.9},
               {"float32", &curve_gelu_tanh, 4096.0, 0.9}, {"bfloat16", &curve_gelu, 0.5, 0.8},
               {"bfloat16", &curve_gelu_tanh, 0.5, 0.8},   {"float16", &curve_gelu, 0.5, 0.8},
               {"float16", &curve_gelu_tanh, 0.5, 0.8},    {"float32", &curve_silu, 0.5, 0.9},
               {"float32", &curve_silu, 4096.0, 0.9},      {"float16", &curve_silu, 0.5, 0.7},
               {"float32", &curve_quick_gelu, 0.5, 0.9},   {"bfloat16", &curve_quick_gelu, 0.5, 0.7}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const range_curve *const curve = cases[k].curve;
    const step s = {.kind = &step_activation, .of = curve, .layer = -1, .inputs = 1, .rows = 1, .cols = ENTRIES};
    double x[ENTRIES], bound[ENTRIES], used = 0.0;
    const step_format format = step_format_of(float_format_named(cases[k].format), cases[k].ulp);
    const worst_errors worst = {.stored = format.narrows ? format.store.unit : 0.0,
                                .computed = format.compute.unit,
                                .function = 2.0 * cases[k].ulp * format.compute.unit};
    for (int a = 0; a < ENTRIES; a++) x[a] = -0.5 - a / 24.0;
    executed_step_bound(bound, &format, &s, x, ENTRIES);
    for (int a = 0; a < ENTRIES; a++) {
      const bool gated = curve == &curve_silu || curve == &curve_quick_gelu;
      const double y = gated ? gated_rounded_worst(curve, x[a], &worst) : gelu_rounded_worst(curve, x[a], &worst);
      const double off = fabs(y - curve->estimate(x[a]));
      if (!(off <= bound[a])) fail_msg("case %zu: at %g off by %g, bound %g", k, x[a], off, bound[a]);
      used = fmax(used, off / bound[a]);
    }
    print_message("%s, inside %s: largest part of the bound used %.3f\n", cases[k].format, curve->name, used);
    assert_true(used > cases[k].least);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scores_move_the_mean),
      cmocka_unit_test(a_sum_loses_every_small_term),
      cmocka_unit_test(sums_in_scores_move_the_mean),
      cmocka_unit_test(products_are_rounded_five_times),
      cmocka_unit_test(inaccurate_functions_move_the_rest),
      cmocka_unit_test(an_inaccurate_curve_moves_the_mean),
      cmocka_unit_test(sums_with_biases_by_offset),
      cmocka_unit_test(sums_with_biases_by_pair),
      cmocka_unit_test(sums_with_both),
      cmocka_unit_test(biases_are_rounded),
      cmocka_unit_test(constants_and_factors_out_of_range_have_no_bound),
      cmocka_unit_test(activations_err_where_their_terms_are_large),
      cmocka_unit_test(roundings_inside_activations_all_go_one_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
