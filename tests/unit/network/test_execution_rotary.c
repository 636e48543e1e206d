/* Rotary embeddings executed: see test_execution_terms.c. */
#include "executed_step.h"
#include "network/rotary/step_rotary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DIM = 16 };

/* Near 1, so that frequencies are as without; an amplitude of 1 is multiplied, too. */
static const double divisors[DIM / 2] = {1.1, 0.9, 1.3, 1.0, 0.7, 1.9, 2.5, 3.1};

/* amplitude 0: no divisors. */
static const step *open_step(network_steps *network, double base, double amplitude, int token) {
  *network = (network_steps){.tokens = 1, .dim = DIM};
  network_builder b = {.network = network, .layer = -1};
  const rotary_scaling scaling = {.factor = 1.0,
                                  .length = 2.0,
                                  .extent = 2.0,
                                  .amplitude = amplitude,
                                  .divisor = amplitude > 0.0 ? divisors : NULL};
  const rotary_heads of = {
      .heads = 1, .head_dim = DIM, .rule = rotary_rule_scaled(base, DIM, &scaling), .token = token};
  assert_int_equal(step_rotary_add(&b, 0, &of), 1);
  return &network->step[0];
}

/* The largest part of the bound used over some inputs. */
static double part_used(const step_format *format, double base, double amplitude, int token) {
  network_steps network;
  const step *const s = open_step(&network, base, amplitude, token);
  random_source r = random_source_make(5, 3, (uint64_t)token);
  double used = 0.0;
  for (int k = 0; k < 16; k++) {
    double x[DIM];
    random_fill_gaussian(x, DIM, 1.0, &r);
    used = fmax(used, executed_step_part_used(format, s, x, DIM, 0, DIM - 1));
  }
  network_clear(&network);
  return used;
}

/* Near the first tokens, products, sums and what is stored; far from them angles, which are off by units of float32 in
 * every format; at all of them the functions, where these are inaccurate. */
static void the_terms_of_a_turn_are_used(void **state) {
  (void)state;
  static const struct {
    const char *format;
    double ulp, base, amplitude;
    int token;
    double least;
  } cases[] = {{"float32", EXECUTED_ULP, 10000.0, 0.0, 3, 0.3},
               {"float32", EXECUTED_ULP, 10000.0, 0.0, 100000, 0.2},
               {"float32", 4096.0, 10000.0, 0.0, 2, 0.5},
               {"float64", EXECUTED_ULP, 10000.0, 0.0, 3, 0.1},
               {"float64", EXECUTED_ULP, 10000.0, 0.0, 100000, 0.2},
               {"bfloat16", EXECUTED_ULP, 10000.0, 0.0, 3, 0.3},
               {"float16", EXECUTED_ULP, 500000.0, 0.0, 5, 0.3},
               {"float32", EXECUTED_ULP, 10000.0, 1.2, 3, 0.2},
               {"float32", EXECUTED_ULP, 10000.0, 77.7, 100000, 0.15},
               {"float64", EXECUTED_ULP, 10000.0, 1.2, 100000, 0.15},
               {"bfloat16", EXECUTED_ULP, 10000.0, 0.6, 3, 0.3}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const step_format format = step_format_of(float_format_named(cases[k].format), cases[k].ulp);
    const double used = part_used(&format, cases[k].base, cases[k].amplitude, cases[k].token);
    print_message("case %zu: largest part of the bound used %.3f\n", k, used);
    assert_true(used > cases[k].least);
  }
}

/* The largest part used where pairs are slower by their numbers, at a far position and of many trained lengths, so that
 * one pair is nearly as slow as it gets: what its share is off counts as often as the factor says. */
static double paired_part_used(double factor, bool whole, double slope) {
  const step_format format = step_format_of(float_format_named("float32"), EXECUTED_ULP);
  double used = 0.0;
  for (int k = 0; k < 64; k++) {
    const rotary_scaling scaling = {.factor = factor,
                                    .low = 1.0,
                                    .high = 32.0,
                                    .length = 1000.0 + 97.0 * k,
                                    .by_pair = true,
                                    .whole = whole,
                                    .slope = slope};
    const rotary_heads of = {
        .heads = 1, .head_dim = DIM, .rule = rotary_rule_scaled(10000.0, DIM, &scaling), .token = 100000};
    network_steps network = {.tokens = 1, .dim = DIM};
    network_builder b = {.network = &network, .layer = -1};
    random_source r = random_source_make(5, 3, (uint64_t)k);
    double x[DIM];
    random_fill_gaussian(x, DIM, 1.0, &r);
    assert_int_equal(step_rotary_add(&b, 0, &of), 1);
    used = fmax(used, executed_step_part_used(&format, &network.step[0], x, DIM, 0, DIM - 1));
    network_clear(&network);
  }
  return used;
}

static void shares_of_pairs_are_off(void **state) {
  (void)state;
  static const double factors[] = {2.0, 32.0, 65536.0};
  for (int k = 0; k < 6; k++) {
    const double used = paired_part_used(factors[k / 2], k % 2 == 1, k < 3 ? 0.0 : 0.7);
    print_message("factor %g%s: largest part of the bound used %.3f\n", factors[k / 2], k % 2 == 1 ? ", whole" : "",
                  used);
    assert_true(used > 0.1);
  }
}

/* Of one number at position 0, with every rounding away from 0: the input's, the cosine's function, its product, the
 * sum with 0, and what stores them. */
static void roundings_of_a_turn_all_go_one_way(void **state) {
  (void)state;
  static const char *const formats[] = {"float32", "bfloat16", "float16"};
  network_steps network;
  const step *const s = open_step(&network, 10000.0, 0.0, 0);
  for (int k = 0; k < 3; k++) {
    const step_format format = step_format_of(float_format_named(formats[k]), 0.5);
    const double computed = format.compute.unit, stored = format.narrows ? format.store.unit : 0.0;
    double x[DIM] = {1.0}, bound[DIM];
    executed_step_bound(bound, &format, s, x, DIM);
    const double input = 1.0 + computed + stored; /* half a unit in the last place of 1, and so the sum */
    const double product = input * pow((1.0 + computed) * (1.0 + stored), 2.0), off = product + computed + stored - 1.0;
    print_message("%s: part of the bound used %.3f\n", formats[k], off / bound[0]);
    assert_true(off <= bound[0] * (1.0 + 0x1p-40) && off > 0.9 * bound[0]);
  }
  network_clear(&network);
}

/* The same of an amplitude of 1.2, which rounds away from 0, as what it multiplies does: products of the cosine's
 * function, the amplitude's rounding, theirs, and what stores it; nothing else of a turn rounds in float32 in the
 * format float64. */
static void roundings_of_an_amplitude_count(void **state) {
  (void)state;
  const double unit = 0x1p-24, amplitude = 1.2;
  network_steps network;
  double x[DIM] = {1.0}, bound[DIM];
  const step *const s = open_step(&network, 10000.0, amplitude, 0);
  const step_format format = step_format_of(float_format_named("float64"), 0.5);
  executed_step_bound(bound, &format, s, x, DIM);
  const double off = amplitude * (pow(1.0 + unit, 3.0) - 1.0);
  print_message("float64: part of the bound used %.3f\n", off / bound[0]);
  assert_true(off <= bound[0] && off > 0.7 * bound[0]);
  network_clear(&network);
}

/* Positions that float32 does not have, and bases, products with divisors and amplitudes that it does not. */
static void what_float32_cannot_hold_has_no_bound(void **state) {
  (void)state;
  static const struct {
    double base, amplitude;
    int token;
    bool bounded;
  } cases[] = {{10000.0, 0.0, 1 << 20, true}, {10000.0, 0.0, (1 << 24) + 1, false},
               {1e60, 0.0, 1, false},         {500000.0, 0.0, 8191, true},
               {10000.0, 1.2, 1 << 20, true}, {2e37, 0.0, 1, true},
               {2e37, 1.0, 1, false},         {10000.0, 1e39, 1, false},
               {10000.0, 1e37, 1, true}};
  const step_format format = step_format_of(float_format_named("float64"), EXECUTED_ULP);
  const double x[DIM] = {1.0, -2.0, 0.5};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    network_steps network;
    const step *const s = open_step(&network, cases[k].base, cases[k].amplitude, cases[k].token);
    if (executed_step_bounded(&format, s, x, DIM) != cases[k].bounded) fail_msg("case %zu", k);
    network_clear(&network);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_terms_of_a_turn_are_used), cmocka_unit_test(shares_of_pairs_are_off),
      cmocka_unit_test(roundings_of_a_turn_all_go_one_way), cmocka_unit_test(roundings_of_an_amplitude_count),
      cmocka_unit_test(what_float32_cannot_hold_has_no_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
