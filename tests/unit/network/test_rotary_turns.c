/* Cosines and sines of a rotary embedding: those that its step keeps, and of angles in intervals. */
#include "network/rotary/step_rotary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS = 5, DIM = 6 };

/* Angles of 10^6 and more by the token or by a base below 1. */
static const struct {
  double base;
  int token;
} cases[] = {{10000.0, -1}, {500000.0, -1}, {3.0, -1}, {10000.0, 1000000}, {10.5, 131071}, {0x1p-30, -1}, {1e300, 1}};

/* |x - t| <= miss <= half a unit in the last place of x, for an interval t that is narrow beside these. */
static void assert_nearest(double x, double miss, const interval *t) {
  mpfr_t off;
  mpfr_init2(off, 320);
  assert_true(miss <= ldexp(1.0, x == 0.0 ? -1074 : ilogb(x) - 53) * (1.0 + 0x1p-40));
  mpfr_sub_d(off, t->hi, x, MPFR_RNDU);
  assert_true(mpfr_cmp_d(off, miss) <= 0);
  mpfr_d_sub(off, x, t->lo, MPFR_RNDU);
  assert_true(mpfr_cmp_d(off, miss) <= 0);
  mpfr_clear(off);
}

static void turns_are_nearest_doubles(void **state) {
  (void)state;
  step_scratch scratch;
  step_scratch_init(&scratch, 320);
  interval *const f = &scratch.t[0], *const cosine = &scratch.t[1], *const sine = &scratch.t[2];
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    network_steps network = {.tokens = cases[k].token >= 0 ? 1 : ROWS, .dim = DIM};
    network_builder b = {.network = &network, .layer = -1};
    const rotary_rule rule = rotary_rule_powers(cases[k].base, DIM);
    assert_int_equal(
        step_rotary_add(&b, 0, &(rotary_heads){.heads = 1, .head_dim = DIM, .rule = rule, .token = cases[k].token}), 1);
    const rotary_heads *const of = network.step[0].of;
    for (int e = 0; e < network.step[0].rows * rotary_heads_pairs(of); e++) {
      const rotary_turn *const t = &of->turn[e];
      const int position = rotary_heads_position(of, e / rotary_heads_pairs(of));
      rotary_rule_frequency(f, &of->rule, e % rotary_heads_pairs(of), &scratch.ws);
      rotary_rule_turn(cosine, sine, f, position, &scratch.ws);
      assert_nearest(t->cosine, t->cosine_miss, cosine);
      assert_nearest(t->sine, t->sine_miss, sine);
      assert_true(t->angle >= mpfr_get_d(f->hi, MPFR_RNDD) * position);
    }
    network_clear(&network);
  }
  step_scratch_clear(&scratch);
}

/* Layers, their queries and keys have one table; another base, width or token has its own. */
static void steps_that_turn_alike_share_their_turns(void **state) {
  (void)state;
  enum { STEPS = 6 };
  static const struct {
    double base;
    int heads, dim, token;
    bool shares;
  } added[STEPS] = {{10000.0, 1, 6, 2, false}, {10000.0, 1, 6, 2, true},  {10000.0, 1, 6, 0, false},
                    {500.0, 1, 6, 2, false},   {10000.0, 3, 2, 2, false}, {500.0, 1, 6, 2, true}};
  network_steps network = {.tokens = 1, .dim = DIM};
  network_builder b = {.network = &network, .layer = -1};
  for (int k = 0; k < STEPS; k++) {
    const rotary_heads heads = {.heads = added[k].heads,
                                .head_dim = added[k].dim,
                                .rule = rotary_rule_powers(added[k].base, added[k].dim),
                                .token = added[k].token};
    assert_int_equal(step_rotary_add(&b, k, &heads), k + 1);
    const rotary_turn *const turn = ((const rotary_heads *)network.step[k].of)->turn;
    bool found = false;
    for (int before = 0; before < k; before++)
      found = found || ((const rotary_heads *)network.step[before].of)->turn == turn;
    assert_int_equal(found, added[k].shares);
  }
  network_clear(&network);
}

/* Amplitudes of another slope, or of more entries, are another table; entries behind those that rotate have the
 * amplitude alone. */
static void amplified_turns_are_shared_where_they_are_the_same(void **state) {
  (void)state;
  enum { STEPS = 5 };
  static const struct {
    double slope;
    int still;
    bool shares;
  } added[STEPS] = {{0.0, 0, false}, {0.5, 0, false}, {0.5, 2, false}, {0.5, 0, true}, {0.5, 2, true}};
  network_steps network = {.tokens = ROWS, .dim = DIM};
  network_builder b = {.network = &network, .layer = -1};
  for (int k = 0; k < STEPS; k++) {
    const rotary_scaling scaling = {
        .factor = 4.0, .low = 1.0, .high = 8.0, .length = 64.0, .by_pair = true, .slope = added[k].slope};
    rotary_heads heads = {.heads = 1, .head_dim = DIM, .rule = rotary_rule_scaled(50.0, 4, &scaling), .token = -1};
    heads.rule.still = added[k].still;
    assert_int_equal(step_rotary_add(&b, k, &heads), k + 1);
    const rotary_heads *const of = network.step[k].of;
    bool found = false;
    for (int before = 0; before < k; before++)
      found = found || ((const rotary_heads *)network.step[before].of)->turn == of->turn;
    assert_int_equal(found, added[k].shares);
    const double amplitude = 0.1 * (added[k].slope > 0.0 ? added[k].slope : 1.0) * log(4.0) + 1.0;
    assert_true(fabs(of->turn[0].cosine - amplitude) <= 1e-15 * amplitude);
    for (int i = 0; i < ROWS && added[k].still > 0; i++) {
      const rotary_turn *const still = &of->turn[i * rotary_heads_pairs(of) + 2];
      assert_true(still->sine == 0.0 && still->sine_miss <= 0x1p-1000 && still->angle <= 0x1p-1000);
      assert_true(still->cosine == of->turn[0].cosine);
    }
  }
  network_clear(&network);
}

/* Divisors are copied, and compared by their numbers and what amplifies. */
static void divided_turns_are_shared_where_they_are_the_same(void **state) {
  (void)state;
  enum { STEPS = 5 };
  static const struct {
    double divisor[3], extent, amplitude;
    bool shares;
  } added[STEPS] = {{{1.0, 2.0, 0.25}, 32.0, 0.0, false},
                    {{1.0, 2.0, 0.5}, 32.0, 0.0, false},
                    {{1.0, 2.0, 0.25}, 64.0, 0.0, false},
                    {{1.0, 2.0, 0.25}, 32.0, 1.5, false},
                    {{1.0, 2.0, 0.25}, 32.0, 0.0, true}};
  network_steps network = {.tokens = 1, .dim = DIM};
  network_builder b = {.network = &network, .layer = -1};
  for (int k = 0; k < STEPS; k++) {
    double divisor[3];
    for (int m = 0; m < 3; m++) divisor[m] = added[k].divisor[m];
    const rotary_scaling scaling = {
        .factor = 1.0, .length = 4.0, .extent = added[k].extent, .amplitude = added[k].amplitude, .divisor = divisor};
    const rotary_heads heads = {
        .heads = 1, .head_dim = DIM, .rule = rotary_rule_scaled(10000.0, DIM, &scaling), .token = 2};
    assert_int_equal(step_rotary_add(&b, k, &heads), k + 1);
    for (int m = 0; m < 3; m++) divisor[m] = -1.0;
    const rotary_heads *const of = network.step[k].of;
    for (int m = 0; m < 3; m++) assert_true(of->rule.scaling.divisor[m] == added[k].divisor[m]);
    bool found = false;
    for (int before = 0; before < k; before++)
      found = found || ((const rotary_heads *)network.step[before].of)->turn == of->turn;
    assert_int_equal(found, added[k].shares);
  }
  network_clear(&network);
}

/* Quick pairs at far tokens are as narrow as others, and an amplitude is at least 1 where none is given. */
static void divided_turns_are_narrow(void **state) {
  (void)state;
  static const double divisor[] = {1.0, 0x1p-300, 3.0};
  const rotary_scaling extended = {.factor = 1.0, .length = 4.0, .extent = 32.0, .divisor = divisor};
  rotary_scaling shorter = extended;
  shorter.extent = 2.0;
  network_steps network = {.tokens = 1, .dim = DIM};
  network_builder b = {.network = &network, .layer = -1};
  rotary_heads heads = {
      .heads = 1, .head_dim = DIM, .rule = rotary_rule_scaled(10000.0, DIM, &extended), .token = 100000};
  assert_int_equal(step_rotary_add(&b, 0, &heads), 1);
  heads.rule = rotary_rule_scaled(10000.0, DIM, &shorter);
  assert_int_equal(step_rotary_add(&b, 1, &heads), 2);
  for (int s = 0; s < 2; s++) {
    const rotary_turn *const turn = ((const rotary_heads *)network.step[s].of)->turn;
    const double square = s == 0 ? 2.5 : 1.0;
    for (int m = 0; m < 3; m++) {
      assert_true(turn[m].cosine_miss <= 0x1p-52 && turn[m].sine_miss <= 0x1p-52);
      assert_true(fabs(turn[m].cosine * turn[m].cosine + turn[m].sine * turn[m].sine - square) < 1e-14);
    }
  }
  network_clear(&network);
}

/* All angles of a frequency that is not known exactly, also where they pass an extreme. */
static void turns_of_an_interval_contain_all_angles(void **state) {
  (void)state;
  static const struct {
    double lo, hi;
    int position;
  } wide[] = {{0.25, 0.3125, 3}, {0.5, 1.5, 3}, {1.0, 1.0009765625, 1000000}, {0.0, 2.0, 1}, {0.125, 0.125, 7}};
  interval f, cosine, sine;
  interval_scratch ws;
  interval_init(&f, 80);
  interval_init(&cosine, 80);
  interval_init(&sine, 80);
  interval_scratch_init(&ws, 80);
  for (size_t k = 0; k < sizeof wide / sizeof wide[0]; k++) {
    mpfr_set_d(f.lo, wide[k].lo, MPFR_RNDD);
    mpfr_set_d(f.hi, wide[k].hi, MPFR_RNDU);
    rotary_rule_turn(&cosine, &sine, &f, wide[k].position, &ws);
    for (int p = 0; p <= 64; p++) {
      mpfr_t angle, c, s;
      mpfr_inits2(200, angle, c, s, (mpfr_ptr)0);
      mpfr_set_d(angle, wide[k].lo + (wide[k].hi - wide[k].lo) * p / 64.0, MPFR_RNDN);
      mpfr_mul_si(angle, angle, wide[k].position, MPFR_RNDN);
      mpfr_sin_cos(s, c, angle, MPFR_RNDN);
      assert_true(mpfr_cmp(cosine.lo, c) <= 0 && mpfr_cmp(c, cosine.hi) <= 0);
      assert_true(mpfr_cmp(sine.lo, s) <= 0 && mpfr_cmp(s, sine.hi) <= 0);
      mpfr_clears(angle, c, s, (mpfr_ptr)0);
    }
  }
  interval_clear(&f);
  interval_clear(&cosine);
  interval_clear(&sine);
  interval_scratch_clear(&ws);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(turns_are_nearest_doubles),
                                     cmocka_unit_test(steps_that_turn_alike_share_their_turns),
                                     cmocka_unit_test(amplified_turns_are_shared_where_they_are_the_same),
                                     cmocka_unit_test(divided_turns_are_shared_where_they_are_the_same),
                                     cmocka_unit_test(divided_turns_are_narrow),
                                     cmocka_unit_test(turns_of_an_interval_contain_all_angles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
