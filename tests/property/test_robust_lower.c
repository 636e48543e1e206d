/* Bounds of functionals seen from behind (robust/lower.h), on random small networks: of random values, along random
 * directions, of which some have one entry alone. None is above what the functional is, evaluated in Arb, at points
 * of the ball (of every kind in turn): random ones, and what an ascent of the margin in double ends at. The same for
 * bounds with searched slopes, with any planted ones, and for those by branch and bound over the corners of ReLUs.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "ball_points.h"
#include "robust/lower_slopes.h"
#include "robust/split_search.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 150, FUNCTIONALS = 3, VALUES = 6 };

typedef struct {
  const network_case *c;
  ball_points at;
  random_source r;
  int violations, bounds, missing, branched, again;
} watcher;

/* <w, x_value> at a point of the ball. */
static void functional(arb_t sum, const watcher *w, int at, int value, const double *direction) {
  arb_t t;
  arb_init(t);
  arb_zero(sum);
  const int cols = network_cols(&w->c->network, value);
  for (size_t k = 0; k < network_entries(&w->c->network, value); k++) {
    arb_set_d(t, direction[k]);
    arb_addmul(sum, t, arb_mat_entry(w->at.value[at].value[value], (int)k / cols, (int)k % cols), NETWORK_ORACLE_BITS);
  }
  arb_clear(t);
}

static void check_bound(watcher *w, int value, const double *direction, double bound) {
  arb_t z, lower;
  arb_init(z);
  arb_init(lower);
  w->bounds++;
  if (bound == -INFINITY) w->missing++;
  assert_true(bound == bound);
  arb_set_d(lower, bound);
  for (int k = 0; k < w->at.points && isfinite(bound); k++) {
    functional(z, w, k, value, direction);
    if (!arb_lt(z, lower)) continue;
    if (w->violations++ == 0)
      print_message("%s: value %d (%s): a functional is %g, bound %g\n", w->c->name, value,
                    value > 0 ? w->c->network.step[value - 1].kind->name : "input",
                    arf_get_d(arb_midref(z), ARF_RND_NEAR), bound);
  }
  arb_clear(z);
  arb_clear(lower);
}

static double *random_directions(watcher *w, int value, int count) {
  const size_t entries = network_entries(&w->c->network, value);
  double *const direction = calloc((size_t)count * entries, sizeof *direction);
  assert_non_null(direction);
  for (size_t b = 0; b < (size_t)count; b++) {
    const bool alone = random_chance(&w->r, 0.3);
    for (size_t k = 0; k < entries && !alone; k++) direction[b * entries + k] = random_gaussian(&w->r);
    if (alone)
      direction[b * entries + (size_t)random_integer(&w->r, 0, (int)entries - 1)] = random_chance(&w->r, 0.5) ? 1 : -1;
  }
  return direction;
}

/* The bound by branch and bound over what is open before the value, if anything is. */
static void check_branched(watcher *w, int value, const form *values, const form_symbols *symbols,
                           const double *direction) {
  const network_steps *const network = &w->c->network;
  split_model model;
  split_row row;
  split_tree tree;
  double bound;
  assert_int_equal(split_model_init(&model, network, NULL, values, symbols, 100, NULL, NULL), ATTCERT_OK);
  if (model.open.count > 0) {
    w->branched++;
    assert_int_equal(split_search_narrow(&model, NULL, NULL), ATTCERT_OK);
    assert_int_equal(split_row_init(&row, &model, NULL), ATTCERT_OK);
    assert_int_equal(split_model_row(&row, &model, network, values, value, direction, NULL), ATTCERT_OK);
    assert_int_equal(split_search(&bound, &tree, &model, &row, 40, NULL, NULL), ATTCERT_OK);
    split_tree_clear(&tree);
    check_bound(w, value, direction, bound);
    split_row_clear(&row);
  }
  split_model_clear(&model);
}

/* The walk with any slopes; then with those that a search has ended with where it was successful. */
static void check_planted(watcher *w, robust_lower *one, int value, const double *direction) {
  const size_t slopes = robust_lower_slopes(one);
  double *const slope = calloc(slopes + 1, sizeof *slope), found;
  assert_non_null(slope);
  for (size_t k = 0; k < slopes; k++)
    slope[k] = random_chance(&w->r, 0.1) ? (random_chance(&w->r, 0.5) ? INFINITY : 1e300) : random_gaussian(&w->r);
  robust_lower_slopes_put(one, slope);
  assert_int_equal(robust_lower_bound(one, value, direction, NULL), ATTCERT_OK);
  check_bound(w, value, direction, one->best[0]);
  assert_int_equal(robust_lower_search(&found, one, value, direction, 4, NULL, NULL), ATTCERT_OK);
  if (found > 0.0) {
    robust_lower_slopes_take(slope, one);
    robust_lower_slopes_put(one, slope);
    assert_int_equal(robust_lower_bound(one, value, direction, NULL), ATTCERT_OK);
    assert_true(one->best[0] == found);
    w->again++;
  }
  free(slope);
}

static void check_value(watcher *w, int value, const form *values, const form_symbols *symbols) {
  const network_steps *const network = &w->c->network;
  const size_t entries = network_entries(network, value);
  robust_lower several, one;
  double *const direction = random_directions(w, value, FUNCTIONALS), found;
  assert_int_equal(robust_lower_init(&several, network, values, symbols, FUNCTIONALS, NULL), ATTCERT_OK);
  assert_int_equal(robust_lower_init(&one, network, values, symbols, 1, NULL), ATTCERT_OK);
  assert_int_equal(robust_lower_bound(&several, value, direction, NULL), ATTCERT_OK);
  for (size_t b = 0; b < FUNCTIONALS; b++) {
    check_bound(w, value, direction + b * entries, several.best[b]);
    assert_int_equal(robust_lower_bound(&one, value, direction + b * entries, NULL), ATTCERT_OK);
    check_bound(w, value, direction + b * entries, one.best[0]);
  }
  assert_int_equal(robust_lower_search(&found, &one, value, direction, 4, NULL, NULL), ATTCERT_OK);
  check_bound(w, value, direction, found);
  check_planted(w, &one, value, direction);
  check_branched(w, value, values, symbols, direction);
  robust_lower_clear(&one);
  robust_lower_clear(&several);
  free(direction);
}

/* All values are there once the last one is. */
static attcert_status look_from_values(void *context, int value, const form *f, const form_symbols *symbols) {
  watcher *const w = context;
  const int last = w->c->network.count;
  if (value != last) return ATTCERT_OK;
  for (int k = 0; k < VALUES; k++) check_value(w, k == 0 ? last : random_integer(&w->r, 1, last), f - last, symbols);
  return ATTCERT_OK;
}

static void bounds_are_below_every_value(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  int bounds = 0, missing = 0, violations = 0, branched = 0, again = 0;
  for (uint64_t index = 0; index < cases; index++) {
    network_case c;
    robust_margin margin;
    random_source of_pairs = random_source_make(seed, 6, index);
    network_case_init(&c, seed, index);
    if (index % 4 == 3) network_case_pair(&c, &of_pairs);
    c.ball.region.kind = (ball_kind_id)(index % BALL_KINDS);
    watcher w = {.c = &c, .r = random_source_make(98, 2, index)};
    ball_points_init(&w.at, &c);
    ball_points_add_attacked(&w.at);
    ball_points_fill(&w.at, &w.r);
    ball_points_evaluate(&w.at);
    assert_int_equal(robust_margin_observe(&margin, &c.network, &c.ball, look_from_values, &w, NULL), ATTCERT_OK);
    robust_margin_clear(&margin);
    ball_points_clear(&w.at);
    network_case_clear(&c);
    bounds += w.bounds;
    missing += w.missing;
    branched += w.branched;
    again += w.again;
    violations += w.violations;
  }
  print_message("%llu networks, %d bounds, %d of them missing, %d by branching\n", (unsigned long long)cases, bounds,
                missing, branched);
  assert_int_equal(violations, 0);
  assert_true(bounds > 10 * (int)cases && missing < bounds / 10);
  assert_true((branched > 10 && again > 10) || cases < DEFAULT_CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_below_every_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
