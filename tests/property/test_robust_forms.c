/* Forms contain what they are forms of: on random small networks, at points of the ball (of every kind in turn), every
 * entry of every step, evaluated in Arb, lies within the bounds of its symbols and its radius around center + L eps.
 * Points: random ones on and in the ball, and for random entries of random steps those farthest along +-L_c, the worst
 * ones to first order; for the margin also an ascent in double. The same with as little memory as makes symbols merge.
 * Merging loses relations between symbols, so that the bound gets worse; not always, as the weights of form_norm.c are
 * chosen, not optimal, and may suit the merged symbols better: how much better it got at most is reported.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "linalg/rounding/rounding.h"
#include "network_oracle.h"
#include "random_network.h"
#include "robust/ascent.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 150, POINTS = 10, DIRECTIONS = 4 };

typedef struct {
  const network_case *c;
  int columns;         /* of eps: words x d */
  double *eps[POINTS]; /* exact doubles */
  int points;
  network_values value[POINTS];
  int picked[DIRECTIONS]; /* values of which an entry gives a direction */
  random_source r;
  int violations;
  uint64_t made;  /* symbols, up to the last value that was seen */
  double largest; /* |z - center - L eps| over its bound */
  long checked;
} watcher;

/* Of the words that the norm of the ball takes together. */
static int segment_size(const watcher *w) {
  return ball_region_kind(&w->c->ball.region)->each ? w->c->x.cols : w->columns;
}

/* Adds a point of the ball: direction v scaled to `fraction` of the radius, all words together or each, rounded towards
 * 0 enough to stay inside. */
static void add_point(watcher *w, const double *v, double fraction) {
  const ball_region *const region = &w->c->ball.region;
  const ball_norm *const norm = ball_region_kind(region)->norm;
  const int size = segment_size(w);
  if (w->points == POINTS || !(norm->length_upward(v, NULL, (size_t)w->columns) > 0.0)) return;
  double *const eps = w->eps[w->points++];
  for (int at = 0; at < w->columns; at += size) {
    const double length = norm->length_upward(v + at, NULL, (size_t)size);
    const double scale = length > 0.0 ? fraction * region->radius * (1.0 - 0x1p-40) / length : 0.0;
    /* with so few bits that X + eps is exact */
    for (int k = at; k < at + size; k++) eps[k] = ldexp(trunc(ldexp(scale * v[k], 48)), -48);
  }
}

/* Adds the points farthest along +-v, which becomes steepest. */
static void add_extremes(watcher *w, double *v) {
  const int size = segment_size(w);
  for (int at = 0; at < w->columns; at += size)
    ball_region_kind(&w->c->ball.region)->norm->steepest(v + at, (size_t)size);
  add_point(w, v, 1.0);
  for (int a = 0; a < w->columns; a++) v[a] = -v[a];
  add_point(w, v, 1.0);
}

/* The segments of the input come first. */
static bool is_input(const form_layout *layout, int s, const form_symbols *symbols) {
  return s < layout->count && symbols->segment[layout->id[s]].origin < 0;
}

static void moved_input(attcert_matrix *x, const network_case *c, const double *eps) {
  assert_int_equal(attcert_matrix_init(x, c->x.rows, c->x.cols, NULL), ATTCERT_OK);
  const size_t d = (size_t)c->x.cols;
  memcpy(x->data, c->x.data, (size_t)c->x.rows * d * sizeof(double));
  for (int w = 0; w < c->word_count; w++) {
    for (size_t a = 0; a < d; a++) x->data[(size_t)c->words[w] * d + a] += eps[(size_t)w * d + a];
  }
}

/* First pass: for some values, the direction in which an entry grows fastest. */
static attcert_status pick_directions(void *context, int value, const form *f, const form_symbols *symbols) {
  watcher *const w = context;
  for (int k = 0; k < DIRECTIONS; k++) {
    if (w->picked[k] != value) continue;
    const int i = random_integer(&w->r, 0, f->rows - 1), c = random_integer(&w->r, 0, f->cols - 1);
    const form_layout *const layout = &f->row[i].layout;
    double v[RANDOM_NETWORK_TOKENS * 12] = {0};
    for (int s = 0; is_input(layout, s, symbols); s++)
      memcpy(v + layout->id[s] * w->c->x.cols,
             f->row[i].linear + (size_t)c * (size_t)form_layout_columns(layout) + layout->start[s],
             (size_t)w->c->x.cols * sizeof(double));
    add_extremes(w, v);
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
    for (int k = 0; k < w->c->x.cols; k++) {
      arb_set_d(t, row[layout->start[s] + k]);
      arb_set_d(u, w->eps[at_point][layout->id[s] * w->c->x.cols + k]);
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
    for (int k = 0; k < w->points; k++) {
      arb_set(z, arb_mat_entry(w->value[k].value[value], at / f->cols, at % f->cols));
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

static void random_points(watcher *w) {
  double v[RANDOM_NETWORK_TOKENS * 12];
  while (w->points < POINTS) {
    for (int k = 0; k < w->columns; k++) v[k] = random_gaussian(&w->r);
    add_point(w, v, random_chance(&w->r, 0.7) ? 1.0 : random_uniform(&w->r, 0.0, 1.0));
  }
}

/* The smallest difference of scores at the point, in Arb, against the margin's lower end. */
static void check_margin(const watcher *w, const robust_margin *margin) {
  arb_t z, bound;
  arb_init(z);
  arb_init(bound);
  arb_set_d(bound, margin->margin.lo);
  for (int k = 0; k < w->points; k++) {
    const network_values *const v = &w->value[k];
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
  *w = (watcher){.c = c, .columns = c->word_count * c->x.cols, .r = random_source_make(99, 2, index)};
  for (int p = 0; p < POINTS; p++) assert_non_null(w->eps[p] = calloc((size_t)w->columns, sizeof(double)));
  for (int k = 0; k < DIRECTIONS; k++) w->picked[k] = random_integer(&w->r, 0, c->network.count);
}

static void add_attacked_point(watcher *w) {
  attcert_matrix moved;
  double least;
  const robust_ascent ascent = {.steps = 15, .starts = 1, .seed = 7};
  assert_int_equal(robust_ascent_run(&moved, &least, &w->c->network, &w->c->ball, &ascent, NULL), ATTCERT_OK);
  double v[RANDOM_NETWORK_TOKENS * 12];
  const size_t d = (size_t)w->c->x.cols;
  for (int k = 0; k < w->columns; k++) {
    const size_t at = (size_t)w->c->words[(size_t)k / d] * d + (size_t)k % d;
    v[k] = moved.data[at] - w->c->x.data[at];
  }
  add_point(w, v, 1.0);
  attcert_matrix_clear(&moved);
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
  if (index % 4 == 3) network_case_pair_alike(&c, &of_pairs);
  c.ball.region.kind = (ball_kind_id)(index % BALL_KINDS);
  watch(&w, &c, index);
  assert_int_equal(robust_margin_observe(&margin, &c.network, &c.ball, pick_directions, &w, NULL), ATTCERT_OK);
  robust_margin_clear(&margin);
  add_attacked_point(&w);
  random_points(&w);
  for (int p = 0; p < POINTS; p++) {
    attcert_matrix x;
    moved_input(&x, &c, w.eps[p]);
    network_values_init_paired(&w.value[p], &c.network, &c.pairs, &x);
    attcert_matrix_clear(&x);
  }
  check_forms(&w, &c, &margin, t);
  c.ball.memory = tight_memory(&c, (double)(index % 4) / 3.0);
  check_forms(&w, &c, &merged, t);
  assert_true(merged.plan.bytes <= c.ball.memory && merged.plan.bytes <= margin.plan.bytes);
  t->gained = fmax(t->gained, part_gained(&margin, &merged));
  robust_margin_clear(&margin);
  robust_margin_clear(&merged);
  for (int p = 0; p < POINTS; p++) {
    network_values_clear(&w.value[p]);
    free(w.eps[p]);
  }
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
