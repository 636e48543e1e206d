/* Forms contain what they are forms of: on random small networks, at points of the ball (of every kind in turn), every
 * entry of every step, evaluated in Arb, lies within the bounds of its symbols and its radius around center + L eps.
 * Points: random ones on and in the ball, and for random entries of random steps those farthest along +-L_c, the worst
 * ones to first order; for the margin also an ascent in double. The same with as little memory as makes symbols merge.
 * Merging loses relations between symbols, so that the bound gets worse; not always, as the weights of form_norm.c are
 * chosen, not optimal, and may suit the merged symbols better: how much better it got at most is reported.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "ball_points.h"
#include "linalg/rounding/rounding.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 150, DIRECTIONS = 4 };

typedef struct {
  const network_case *c;
  ball_points at;
  int picked[DIRECTIONS]; /* values of which an entry gives a direction */
  random_source r;
  int violations;
  uint64_t made;  /* symbols, up to the last value that was seen */
  double largest; /* |z - center - L eps| over its bound */
  long checked;
} watcher;

/* The segments of the input come first. */
static bool is_input(const form_layout *layout, int s, const form_symbols *symbols) {
  return s < layout->count && symbols->segment[layout->id[s]].origin < 0;
}

/* First pass: for some values, the direction in which an entry grows fastest. */
static attcert_status pick_directions(void *context, int value, const form *f, const form_symbols *symbols) {
  watcher *const w = context;
  for (int k = 0; k < DIRECTIONS; k++) {
    if (w->picked[k] != value) continue;
    const int i = random_integer(&w->r, 0, f->rows - 1), c = random_integer(&w->r, 0, f->cols - 1);
    const form_layout *const layout = &f->row[i].layout;
    double v[BALL_POINTS_COLUMNS] = {0};
    for (int s = 0; is_input(layout, s, symbols); s++)
      memcpy(v + layout->id[s] * w->c->x.cols,
             f->row[i].linear + (size_t)c * (size_t)form_layout_columns(layout) + layout->start[s],
             (size_t)(layout->start[s + 1] - layout->start[s]) * sizeof(double));
    ball_points_add_extremes(&w->at, v);
  }
  return ATTCERT_OK;
}

/* z - center - L eps of entry c in row i. */
static void deviation(arb_t z, const watcher *w, int at_point, const form *f, const form_symbols *symbols, int i,
                      int c) {
  const form_layout *const layout = &f->row[i].layout;
  const double *const row = f->row[i].linear + (size_t)c * (size_t)form_layout_columns(layout);
  arb_t t, u;
  arb_init(t);
  arb_init(u);
  arb_set_d(t, f->center[i * f->cols + c]);
  arb_sub(z, z, t, NETWORK_ORACLE_BITS);
  for (int s = 0; is_input(layout, s, symbols); s++) {
    for (int k = 0; k < layout->start[s + 1] - layout->start[s]; k++) {
      arb_set_d(t, row[layout->start[s] + k]);
      arb_set_d(u, w->at.eps[at_point][layout->id[s] * w->c->x.cols + k]);
      arb_submul(z, t, u, NETWORK_ORACLE_BITS);
    }
  }
  arb_clear(t);
  arb_clear(u);
}

/* How far the entry's other symbols and its radius go. */
static double limit_beside(const form *f, const form_symbols *symbols, int i, int c) {
  const form_layout *const layout = &f->row[i].layout;
  const double *const row = f->row[i].linear + (size_t)c * (size_t)form_layout_columns(layout);
  double sum = 0.0;
  for (int s = 0; s < layout->count; s++) {
    if (!is_input(layout, s, symbols))
      sum += form_segment_support(row + layout->start[s], &symbols->segment[layout->id[s]]);
  }
  return round_up_nonnegative(sum, layout->count) + f->radius[i * f->cols + c];
}

static attcert_status check_value(void *context, int value, const form *f, const form_symbols *symbols) {
  watcher *const w = context;
  arb_t z, bound;
  arb_init(z);
  arb_init(bound);
  for (int at = 0; at < f->rows * f->cols; at++) {
    const double limit = limit_beside(f, symbols, at / f->cols, at % f->cols);
    for (int k = 0; k < w->at.points; k++) {
      arb_set(z, arb_mat_entry(w->at.value[k].value[value], at / f->cols, at % f->cols));
      deviation(z, w, k, f, symbols, at / f->cols, at % f->cols);
      arb_abs(z, z);
      arb_set_d(bound, limit);
      w->checked++;
      if (limit > 1e-9) w->largest = fmax(w->largest, arf_get_d(arb_midref(z), ARF_RND_NEAR) / limit);
      if (arb_gt(z, bound)) {
        if (w->violations++ == 0)
          print_message("%s: value %d (%s), entry %d: off by %g, bound %g\n", w->c->name, value,
                        value > 0 ? w->c->network.step[value - 1].kind->name : "input", at,
                        arf_get_d(arb_midref(z), ARF_RND_NEAR), limit);
      }
    }
  }
  arb_clear(z);
  arb_clear(bound);
  return ATTCERT_OK;
}

/* The smallest difference of scores at the point, in Arb, against the margin's lower end. */
static void check_margin(const watcher *w, const robust_margin *margin) {
  arb_t z, bound;
  arb_init(z);
  arb_init(bound);
  arb_set_d(bound, margin->margin.lo);
  for (int k = 0; k < w->at.points; k++) {
    const network_values *const v = &w->at.value[k];
    for (int c = 0; c < network_case_classes(w->c); c++) {
      if (c == margin->label) continue;
      arb_sub(z, arb_mat_entry(v->value[v->count - 1], 0, margin->label), arb_mat_entry(v->value[v->count - 1], 0, c),
              NETWORK_ORACLE_BITS);
      if (arb_lt(z, bound)) fail_msg("%s: a margin of the ball is below the bound", w->c->name);
    }
  }
  arb_clear(z);
  arb_clear(bound);
}

static void watch(watcher *w, const network_case *c, uint64_t index) {
  *w = (watcher){.c = c, .r = random_source_make(99, 2, index)};
  ball_points_init(&w->at, c);
  for (int k = 0; k < DIRECTIONS; k++) w->picked[k] = random_integer(&w->r, 0, c->network.count);
}

typedef struct {
  double largest; /* part of a bound that was used */
  double gained;  /* part of a margin's loss that merging saved */
  long checked;
  int violations, bounded, merged; /* entries; networks */
} tally;

/* The bytes that the forms take, less the part in [0, 1] of what merging can save. */
static uint64_t tight_memory(const network_case *c, double part) {
  robust_plan plan;
  assert_int_equal(robust_plan_make(&plan, &c->network, &c->ball.region, false, 0, NULL), ATTCERT_OK);
  const uint64_t whole = plan.bytes;
  robust_plan_clear(&plan);
  uint64_t least = 1, enough = whole;
  while (least < enough) {
    const uint64_t middle = least + (enough - least) / 2;
    if (robust_plan_make(&plan, &c->network, &c->ball.region, false, middle, NULL) == ATTCERT_OK)
      enough = middle;
    else
      least = middle + 1;
    robust_plan_clear(&plan);
  }
  return enough + (uint64_t)((double)(whole - enough) * (1.0 - part));
}

/* Every symbol that was planned for is there at the end, and no other. */
static attcert_status check_symbols(void *context, int value, const form *f, const form_symbols *symbols) {
  watcher *const w = context;
  uint64_t made = 0;
  for (int s = 0; s < symbols->count; s++) made += (uint64_t)symbols->segment[s].width;
  w->made = made;
  return check_value(context, value, f, symbols);
}

static void check_forms(watcher *w, const network_case *c, robust_margin *margin, tally *t) {
  w->made = 0;
  assert_int_equal(robust_margin_observe(margin, &c->network, &c->ball, check_symbols, w, NULL), ATTCERT_OK);
  if (margin->ended < 0) {
    check_margin(w, margin);
    assert_int_equal(w->made, margin->plan.symbols);
  }
  t->bounded += margin->ended < 0;
  t->merged += margin->ended < 0 && margin->plan.merged > 0;
}

/* The part of what the bound takes off the margin at the center that `merged` does not take off; 0 where it is all. */
static double part_gained(const robust_margin *margin, const robust_margin *merged) {
  const double loss = margin->center - margin->margin.lo;
  return isfinite(loss) && loss > 0.0 ? (merged->margin.lo - margin->margin.lo) / loss : 0.0;
}

static void check_case(uint64_t seed, uint64_t index, tally *t) {
  network_case c;
  watcher w;
  robust_margin margin, merged;
  random_source of_pairs = random_source_make(seed, 6, index);
  network_case_init(&c, seed, index);
  if (index % 4 == 3) network_case_pair(&c, &of_pairs);
  c.ball.region.kind = (ball_kind_id)(index % BALL_KINDS);
  watch(&w, &c, index);
  assert_int_equal(robust_margin_observe(&margin, &c.network, &c.ball, pick_directions, &w, NULL), ATTCERT_OK);
  robust_margin_clear(&margin);
  ball_points_add_attacked(&w.at);
  ball_points_fill(&w.at, &w.r);
  ball_points_evaluate(&w.at);
  check_forms(&w, &c, &margin, t);
  c.ball.memory = tight_memory(&c, (double)(index % 4) / 3.0);
  check_forms(&w, &c, &merged, t);
  assert_true(merged.plan.bytes <= c.ball.memory && merged.plan.bytes <= margin.plan.bytes);
  t->gained = fmax(t->gained, part_gained(&margin, &merged));
  robust_margin_clear(&margin);
  robust_margin_clear(&merged);
  ball_points_clear(&w.at);
  network_case_clear(&c);
  t->largest = fmax(t->largest, w.largest);
  t->checked += w.checked;
  t->violations += w.violations;
}

static void forms_contain_every_value(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  tally t = {0};
  for (uint64_t index = 0; index < cases; index++) check_case(seed, index, &t);
  print_message("%llu networks twice, %d bounded to the end, %d of them with symbols merged, %ld values; largest part "
                "of a bound used %.3f, of a loss saved by merging %.2g\n",
                (unsigned long long)cases, t.bounded, t.merged, t.checked, t.largest, t.gained);
  assert_int_equal(t.violations, 0);
  assert_true(t.bounded > (int)cases && t.merged > (int)cases / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_contain_every_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
