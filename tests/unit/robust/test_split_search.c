/* Branch and bound over random networks of a few corners, in two numbers that lie in a box, a Euclidean ball or an l1
 * ball, against the lowest value on a grid of it. A row whose lowest value is shifted to be negative is not bounded by
 * anything above it; one whose lowest value is positive is found to be so, where its linear program alone does not see
 * it, also when an upper part of the rows is uncertain. Rows of sizes far apart have their roundings.
 * The tree of a bound gives the same one again; another tree, or other multipliers, one that is below the lowest value.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "random_source.h"
#include "robust/split_search.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 300, COUNT = 7, COLUMNS = 2, GRID = 100, PARTS = 1000 };

typedef struct {
  split_model model;
  form_symbols symbols;
  double along[2 * COUNT + 1][COLUMNS], side[2 * COUNT + 1][COUNT];
  split_row rows[2 * COUNT], target;
  int step[COUNT];
  range reach[COUNT];
  double slack; /* by which entries may be above their lower row */
} scene;

static void make_input(scene *s, random_source *r) {
  double bound[COLUMNS] = {1.0, 1.0};
  const int kind = random_integer(r, 0, 2);
  const form_segment segment = {.width = COLUMNS,
                                .radius = kind == 1 ? 1.0 : sqrt(2.0),
                                .bound = kind == 1 ? NULL : bound,
                                .sum = kind == 2 ? 1.0 : 0.0,
                                .input = kind == 1,
                                .origin = -1};
  int id;
  assert_int_equal(form_symbols_add(&id, &s->symbols, &segment, NULL), ATTCERT_OK);
  assert_int_equal(form_layout_set(&s->model.input, &id, 1, &s->symbols, NULL), ATTCERT_OK);
}

/* A row of the numbers in its arrays. */
static void set_row(scene *s, split_row *row, int r, double constant, int before) {
  *row = (split_row){.along = s->along[r], .side = s->side[r], .constant = constant, .before = before};
  row->size = 1.1 * (fabs(constant) + form_support_of(row->along, &s->model.input, &s->symbols).magnitude);
  for (int j = 0; j < before; j++) row->size += 1.1 * fabs(row->side[j]) * s->reach[j].hi;
}

static void scene_make(scene *s, random_source *r) {
  *s = (scene){.slack = random_chance(r, 0.5) ? 0.0 : 0.01};
  make_input(s, r);
  s->model.symbols = &s->symbols;
  s->model.columns = COLUMNS;
  s->model.open = (robust_open){.count = COUNT, .step = s->step};
  s->model.reach = s->reach;
  s->model.row = s->rows;
  for (int k = 0; k < COUNT; k++) {
    const int before = k / 3 * 3;
    const double constant = 0.3 * random_gaussian(r);
    s->step[k] = k / 3;
    for (int a = 0; a < COLUMNS; a++) s->along[2 * k + 1][a] = -(s->along[2 * k][a] = random_gaussian(r));
    for (int j = 0; j < before; j++) s->side[2 * k + 1][j] = -(s->side[2 * k][j] = random_gaussian(r));
    set_row(s, &s->rows[2 * k], 2 * k, constant, before);
    set_row(s, &s->rows[2 * k + 1], 2 * k + 1, -constant - s->slack, before);
    s->reach[k] = (range){-s->rows[2 * k + 1].size, s->rows[2 * k + 1].size};
  }
  for (int a = 0; a < COLUMNS; a++) s->along[2 * COUNT][a] = random_gaussian(r);
  for (int j = 0; j < COUNT; j++) s->side[2 * COUNT][j] = random_gaussian(r);
  set_row(s, &s->target, 2 * COUNT, 0.0, COUNT);
}

static double row_at(const split_row *row, const double *eta, const double *y) {
  double sum = row->constant;
  for (int a = 0; a < COLUMNS; a++) sum += row->along[a] * eta[a];
  for (int j = 0; j < row->before; j++) sum += row->side[j] * y[j];
  return sum;
}

/* The target at symbols, and with entries `part` of the slack above their lower rows. */
static double target_at(const scene *s, const double *eta, double part) {
  double y[COUNT];
  for (int k = 0; k < COUNT; k++) {
    const double x = row_at(&s->rows[2 * k], eta, y) + part * s->slack;
    assert_true(x >= s->reach[k].lo - 1e-12 && x <= s->reach[k].hi + 1e-12);
    y[k] = fmax(x, 0.0);
  }
  return row_at(&s->target, eta, y);
}

static double lowest_value(const scene *s) {
  const form_segment *const segment = &s->symbols.segment[0];
  double lowest = INFINITY;
  for (int i = -GRID; i <= GRID; i++) {
    for (int j = -GRID; j <= GRID; j++) {
      const double eta[COLUMNS] = {(double)i / GRID, (double)j / GRID};
      if (segment->sum > 0.0 && fabs(eta[0]) + fabs(eta[1]) > 1.0) continue;
      if (segment->bound == NULL && hypot(eta[0], eta[1]) > 1.0) continue;
      for (int part = 0; part <= 2; part++) lowest = fmin(lowest, target_at(s, eta, 0.5 * part));
    }
  }
  return lowest;
}

/* By how much the true lowest value may be below that: what the grid misses, and uncertain entries each on its own. */
static double missed_by(const scene *s) {
  double reach[2 * COUNT + 1] = {0};
  for (int r = 0; r <= 2 * COUNT; r += 2) {
    const split_row *const row = r < 2 * COUNT ? &s->rows[r] : &s->target;
    reach[r] = r < 2 * COUNT ? s->slack : 0.0;
    for (int a = 0; a < COLUMNS; a++) reach[r] += fabs(row->along[a]) / (2 * GRID);
    for (int j = 0; j < row->before; j++) reach[r] += fabs(row->side[j]) * reach[2 * j];
  }
  return reach[2 * COUNT];
}

/* What it is by the tree again, and by others, of a row whose lowest value is `lowest`, on the grid. */
static void check_trees(scene *s, const split_tree *tree, double bound, double lowest, random_source *r) {
  robust_found found = {0};
  robust_found_difference *d;
  double again;
  assert_int_equal(robust_found_add(&d, &found, 0, NULL), ATTCERT_OK);
  assert_int_equal(split_tree_write(d, tree, 1 << 20, NULL), ATTCERT_OK);
  if (d->nodes == 0) assert_false(bound > 0.0);
  for (int change = 0; change < 6 && d->nodes > 0; change++) {
    for (size_t k = 0; k < d->multipliers && change > 0; k++)
      if (random_chance(r, 0.3)) d->multiplier[k] = (uint16_t)random_integer(r, 0, change % 2 == 0 ? 512 : UINT16_MAX);
    if (change > 3) d->node[random_integer(r, 0, (int)d->nodes - 1)] = (uint16_t)random_integer(r, 0, COUNT);
    assert_int_equal(split_search_again(&again, &s->model, &s->target, d, NULL), ATTCERT_OK);
    if (change == 0) assert_true(again == bound);
    assert_true(again <= lowest + 1e-12);
  }
  if (d->nodes > 1) {
    d->nodes--;
    assert_int_equal(split_search_again(&again, &s->model, &s->target, d, NULL), ATTCERT_OK);
    assert_true(again == -INFINITY);
  }
  robust_found_clear(&found);
}

/* Of the row whose lowest value is that. */
static double bound_of(scene *s, double lowest, double shift, int parts, random_source *r) {
  double bound;
  split_tree tree;
  set_row(s, &s->target, 2 * COUNT, shift - lowest, COUNT);
  assert_int_equal(split_search(&bound, &tree, &s->model, &s->target, parts, NULL, NULL), ATTCERT_OK);
  check_trees(s, &tree, bound, shift, r);
  split_tree_clear(&tree);
  return bound;
}

static void bounds_are_below_and_close(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  int hard = 0;
  for (uint64_t index = 0; index < cases; index++) {
    random_source r = random_source_make(seed, 11, index);
    scene s;
    scene_make(&s, &r);
    assert_int_equal(split_search_narrow(&s.model, NULL, NULL), ATTCERT_OK);
    const double lowest = lowest_value(&s);
    const double near = 1.5 * missed_by(&s) + 0.01;
    assert_true(bound_of(&s, lowest, -0.1, 1, &r) <= -0.1 + 1e-12);
    assert_true(bound_of(&s, lowest, -0.1, PARTS, &r) <= -0.1 + 1e-12);
    const double at_once = bound_of(&s, lowest, near, 1, &r), at_last = bound_of(&s, lowest, near, PARTS, &r);
    assert_true(at_once <= near + 1e-12 && at_last <= near + 1e-12);
    assert_true(at_last > 0.0);
    hard += !(at_once > 0.0);
    form_layout_clear(&s.model.input);
    form_symbols_clear(&s.symbols);
  }
  print_message("%llu networks, %d of them by branching\n", (unsigned long long)cases, hard);
  assert_true(hard > (int)cases / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_below_and_close)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
