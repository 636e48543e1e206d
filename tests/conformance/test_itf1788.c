/* The test vectors of ITF1788 (libieeep1788, IEEE 1788-2015) for the operations of the interval module, at 53 bits.
 * Expected results are the tightest in doubles. Ours, rounded outward to doubles, must contain them; how often they are
 * the same is counted (fma rounds twice, and our midpoint of an unbounded interval claims nothing). Relations must
 * agree exactly. Vectors with NaI, "not an interval", are left out: it exists only with decorations, which this module
 * does not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "itl_file.h"
#include "test_data.h"

enum { PRECISION = 53, FILES = 5 };

static const char *const FILE_NAME[FILES] = {"itf1788/libieeep1788_elem.itl", "itf1788/libieeep1788_num.itl",
                                             "itf1788/libieeep1788_set.itl", "itf1788/libieeep1788_bool.itl",
                                             "itf1788/libieeep1788_rec_bool.itl"};

typedef struct {
  long vectors, tightest, wrong;
} tally;

/* The operands of a vector as intervals, and what an operation needs besides. */
typedef struct {
  interval x[ITL_OPERANDS], r;
  interval_scratch ws;
} workspace;

static void workspace_init(workspace *w) {
  for (int i = 0; i < ITL_OPERANDS; i++) interval_init(&w->x[i], PRECISION);
  interval_init(&w->r, PRECISION);
  interval_scratch_init(&w->ws, PRECISION);
}

static void workspace_clear(workspace *w) {
  for (int i = 0; i < ITL_OPERANDS; i++) interval_clear(&w->x[i]);
  interval_clear(&w->r);
  interval_scratch_clear(&w->ws);
}

static void workspace_load(workspace *w, const itl_vector *v) {
  for (int i = 0; i < v->operands; i++) {
    if (v->operand[i].kind != ITL_INTERVAL) continue;
    mpfr_set_d(w->x[i].lo, v->operand[i].lo, MPFR_RNDD);
    mpfr_set_d(w->x[i].hi, v->operand[i].hi, MPFR_RNDU);
  }
}

/* ---- operations with an interval result -------------------------------------------------------------------------- */

static void apply_pos(workspace *w) {
  interval_set(&w->r, &w->x[0]);
}
static void apply_neg(workspace *w) {
  interval_neg(&w->r, &w->x[0]);
}
static void apply_sqr(workspace *w) {
  interval_sqr(&w->r, &w->x[0], &w->ws);
}
static void apply_sqrt(workspace *w) {
  interval_sqrt(&w->r, &w->x[0]);
}
static void apply_exp(workspace *w) {
  interval_exp(&w->r, &w->x[0]);
}
static void apply_log(workspace *w) {
  interval_log(&w->r, &w->x[0]);
}
static void apply_recip(workspace *w) {
  interval_set_d(&w->x[1], 1);
  interval_div(&w->r, &w->x[1], &w->x[0], &w->ws);
}
static void apply_add(workspace *w) {
  interval_add(&w->r, &w->x[0], &w->x[1]);
}
static void apply_sub(workspace *w) {
  interval_sub(&w->r, &w->x[0], &w->x[1]);
}
static void apply_mul(workspace *w) {
  interval_mul(&w->r, &w->x[0], &w->x[1], &w->ws);
}
static void apply_div(workspace *w) {
  interval_div(&w->r, &w->x[0], &w->x[1], &w->ws);
}
static void apply_fma(workspace *w) {
  interval_fma(&w->r, &w->x[0], &w->x[1], &w->x[2], &w->ws);
}
static void apply_min(workspace *w) {
  interval_min(&w->r, &w->x[0], &w->x[1]);
}
static void apply_max(workspace *w) {
  interval_max(&w->r, &w->x[0], &w->x[1]);
}
static void apply_intersection(workspace *w) {
  interval_intersect(&w->r, &w->x[0], &w->x[1]);
}
static void apply_hull(workspace *w) {
  interval_hull(&w->r, &w->x[0], &w->x[1]);
}

static const struct {
  const char *name;
  void (*apply)(workspace *w);
} OPERATION[] = {{"pos", apply_pos},        {"neg", apply_neg},     {"sqr", apply_sqr},
                 {"sqrt", apply_sqrt},      {"exp", apply_exp},     {"log", apply_log},
                 {"add", apply_add},        {"sub", apply_sub},     {"mul", apply_mul},
                 {"div", apply_div},        {"recip", apply_recip}, {"fma", apply_fma},
                 {"min", apply_min},        {"max", apply_max},     {"intersection", apply_intersection},
                 {"convexHull", apply_hull}};
enum { OPERATIONS = sizeof OPERATION / sizeof OPERATION[0] };

/* MPFR's exponent range is wider than double's: our result is judged as the doubles around it. */
static void judge_operation(int which, workspace *w, const itl_vector *v, tally *t) {
  OPERATION[which].apply(w);
  const double lower = interval_get_d_lower(&w->r), upper = interval_get_d_upper(&w->r);
  const itl_value *const expected = &v->result[0];
  const bool empty = expected->lo > expected->hi;
  t->wrong += !empty && !(lower <= expected->lo && expected->hi <= upper);
  t->tightest += lower == expected->lo && upper == expected->hi;
}

/* ---- relations --------------------------------------------------------------------------------------------------- */

static bool holds_disjoint(const workspace *w, const itl_vector *v) {
  (void)v;
  return interval_disjoint(&w->x[0], &w->x[1]);
}
static bool holds_precedes(const workspace *w, const itl_vector *v) {
  (void)v;
  return interval_certainly_less_equal(&w->x[0], &w->x[1]);
}
static bool holds_strictly_precedes(const workspace *w, const itl_vector *v) {
  (void)v;
  return interval_certainly_less(&w->x[0], &w->x[1]);
}
static bool holds_is_empty(const workspace *w, const itl_vector *v) {
  (void)v;
  return interval_is_empty(&w->x[0]);
}
static bool holds_is_common(const workspace *w, const itl_vector *v) {
  (void)v;
  return interval_is_bounded(&w->x[0]);
}
static const struct {
  const char *name;
  bool (*holds)(const workspace *w, const itl_vector *v);
} RELATION[] = {{"disjoint", holds_disjoint},
                {"precedes", holds_precedes},
                {"strictPrecedes", holds_strictly_precedes},
                {"isEmpty", holds_is_empty},
                {"isCommonInterval", holds_is_common}};
enum { RELATIONS = sizeof RELATION / sizeof RELATION[0] };

static void judge_relation(int which, workspace *w, const itl_vector *v, tally *t) {
  const bool agrees = RELATION[which].holds(w, v) == v->result[0].truth;
  t->tightest += agrees;
  t->wrong += !agrees;
}

/* ---- operations with a number as result -------------------------------------------------------------------------- */

static bool same_double(double x, double y) {
  return x == y || (isnan(x) && isnan(y));
}

static double get_mag(const interval *a) {
  mpfr_t r;
  mpfr_init2(r, PRECISION);
  interval_mag(r, a);
  const double mag = mpfr_get_d(r, MPFR_RNDU);
  mpfr_clear(r);
  return mag;
}

/* `rounding`: -1 for results that may be less than expected, never more; 1 for the opposite. */
static const struct {
  const char *name;
  double (*get)(const interval *a);
  int rounding;
} NUMBER[] = {{"inf", interval_get_d_lower, -1}, {"sup", interval_get_d_upper, 1}, {"mag", get_mag, 1}};
enum { NUMBERS = sizeof NUMBER / sizeof NUMBER[0] };

static void judge_number(int which, workspace *w, const itl_vector *v, tally *t) {
  const double x = NUMBER[which].get(&w->x[0]), expected = v->result[0].lo;
  const bool same = same_double(x, expected);
  t->tightest += same;
  t->wrong += !same && !(NUMBER[which].rounding < 0 ? x < expected : x > expected);
}

static const struct {
  const char *name;
  int mid, rad; /* places among the expected results; -1: not given */
} MIDRAD[] = {{"mid", 0, -1}, {"rad", -1, 0}, {"midRad", 0, 1}};
enum { MIDRADS = sizeof MIDRAD / sizeof MIDRAD[0] };

/* Is a within [mid - rad, mid + rad], exactly? 2200 bits hold every sum of two doubles. */
static bool covers(double mid, double rad, const interval *a) {
  interval ball;
  interval_init(&ball, 2200);
  mpfr_set_d(ball.lo, mid, MPFR_RNDN);
  mpfr_set_d(ball.hi, mid, MPFR_RNDN);
  mpfr_sub_d(ball.lo, ball.lo, rad, MPFR_RNDN);
  mpfr_add_d(ball.hi, ball.hi, rad, MPFR_RNDN);
  const bool empty = mpfr_greater_p(a->lo, a->hi);
  const bool covered = empty || (mpfr_lessequal_p(ball.lo, a->lo) && mpfr_lessequal_p(a->hi, ball.hi));
  interval_clear(&ball);
  return covered;
}

static void judge_midrad(int which, workspace *w, const itl_vector *v, tally *t) {
  const int m = MIDRAD[which].mid, r = MIDRAD[which].rad;
  double mid, rad;
  interval_get_midrad(&mid, &rad, &w->x[0], &w->ws);
  t->wrong += !covers(mid, rad, &w->x[0]);
  t->tightest += (m < 0 || same_double(mid, v->result[m].lo)) && (r < 0 || same_double(rad, v->result[r].lo));
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

typedef void judgement(int which, workspace *w, const itl_vector *v, tally *t);

static void judge_file(const char *path, const char *name, int which, judgement *judge, tally *t) {
  FILE *const file = fopen(path, "r");
  assert_non_null(file);
  workspace w;
  workspace_init(&w);
  itl_vector v = {.line = 0};
  while (itl_read(&v, file)) {
    if (strcmp(v.operation, name) != 0 || itl_has_nai(&v)) continue;
    const long wrong_before = t->wrong;
    workspace_load(&w, &v);
    judge(which, &w, &v, t);
    t->vectors++;
    if (t->wrong > wrong_before) print_error("%s:%d: %s\n", path, v.line, name);
  }
  workspace_clear(&w);
  fclose(file);
}

/* All vectors of one operation, in all files. */
static void judge_all(const char *name, int which, judgement *judge) {
  tally t = {0};
  for (int i = 0; i < FILES; i++) {
    char path[512];
    judge_file(test_data_path(path, FILE_NAME[i]), name, which, judge, &t);
  }
  print_message("%-18s %4ld vectors, %4ld wrong, tightest %4ld\n", name, t.vectors, t.wrong, t.tightest);
  assert_true(t.vectors > 0);
  assert_int_equal(t.wrong, 0);
}

static void test_operations(void **state) {
  (void)state;
  for (int i = 0; i < OPERATIONS; i++) judge_all(OPERATION[i].name, i, judge_operation);
}

static void test_relations(void **state) {
  (void)state;
  for (int i = 0; i < RELATIONS; i++) judge_all(RELATION[i].name, i, judge_relation);
}

static void test_numbers(void **state) {
  (void)state;
  for (int i = 0; i < NUMBERS; i++) judge_all(NUMBER[i].name, i, judge_number);
  for (int i = 0; i < MIDRADS; i++) judge_all(MIDRAD[i].name, i, judge_midrad);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations), cmocka_unit_test(test_relations),
                                     cmocka_unit_test(test_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
