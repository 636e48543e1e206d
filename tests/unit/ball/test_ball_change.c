/* What a ball allows the weights, deviations and forms of a head to become, against what they are at its points: random
 * ones and those farthest along each form. ATTCERT_CASES=N  heads     ATTCERT_SEED=S  which */
#include <stdio.h> /* before mpfr.h, for its printf */

#include "ball/ball_change.h"
#include "ball/ball_curvature.h"
#include "ball_case.h"
#include "kernel/row/attended_keys.h"
#include "slow_head.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 300, MAX_VALUES = 5 * 5 * 5 * 4 };

/* How close the sampled changes come to their bounds, at most. */
typedef struct {
  long double weight, excess, stretch, turn;
} closeness;

static long double distance(const long double *a, const long double *b, size_t count) {
  long double difference[MAX_VALUES];
  for (size_t k = 0; k < count; k++) difference[k] = a[k] - b[k];
  return slow_norm(difference, count);
}

static long double assert_at_most(long double x, mpfr_srcptr bound, const char *what) {
  const long double limit = mpfr_get_ld(bound, MPFR_RNDU);
  if (!(x <= limit * (1 + 1e-12L) + 1e-15L)) fail_msg("%s is %.18Lg, bound %.18Lg", what, x, limit);
  return limit > 1e-9L ? x / limit : 0;
}

static void check_point(const ball_case *c, const ball_changes *s, const slow_head *before, const slow_head *after,
                        closeness *close) {
  const size_t n = (size_t)before->n, height = (size_t)before->height, forms = n * (size_t)before->dim;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < (size_t)attended_keys(c->geometry.mask, (int)i, before->n); j++) {
      const size_t at = i * n + j;
      const long double p = before->p[at], moved = after->p[at];
      if (!(mpfr_get_ld(s->lower + at, MPFR_RNDD) <= moved * (1 + 1e-15L))) fail_msg("a weight is below its bound");
      close->weight = fmaxl(close->weight, assert_at_most(moved, s->upper + at, "a weight"));
      close->excess = fmaxl(close->excess, assert_at_most(fabsl(moved - p), s->excess + at, "a weight's change"));
      close->stretch =
          fmaxl(close->stretch, assert_at_most(distance(after->w + at * height, before->w + at * height, height),
                                               s->stretch + at, "a deviation's change"));
      close->turn =
          fmaxl(close->turn, assert_at_most(distance(after->phi + at * forms, before->phi + at * forms, forms),
                                            s->turn + at, "a form's change"));
    }
  }
}

static void check_case(random_source *r, closeness *close) {
  ball_case c;
  ball_curvature_scratch s;
  slow_head before, after;
  long double x[MAX_VALUES], e[MAX_VALUES];
  ball_case_init(&c, random_chance(r, 0.5) ? 0.1 : 2.0, r);
  const size_t n = (size_t)c.layer.x.rows, forms = n * (size_t)c.layer.x.cols;
  assert_int_equal(ball_curvature_scratch_init(&s, (int)n, NULL), ATTCERT_OK);
  ball_case_moved(x, &c, NULL);
  slow_head_init(&before, &c.layer.layer, 0, x, (int)n);
  ball_change(&s.changes, &c.geometry, c.region.radius);
  for (size_t trial = 0; trial < 2 * n * n + 10; trial++) {
    long double direction[MAX_VALUES];
    for (size_t k = 0; trial < 2 * n * n && k < forms; k++)
      direction[k] = (trial % 2 == 0 ? 1 : -1) * before.phi[trial / 2 * forms + k];
    ball_case_displacement(e, &c, trial < 2 * n * n ? direction : NULL, r);
    ball_case_moved(x, &c, e);
    slow_head_init(&after, &c.layer.layer, 0, x, (int)n);
    check_point(&c, &s.changes, &before, &after, close);
    slow_head_clear(&after);
  }
  slow_head_clear(&before);
  ball_curvature_scratch_clear(&s);
  ball_case_clear(&c);
}

static void changes(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  closeness close = {0};
  for (uint64_t trial = 0; trial < cases; trial++) {
    random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 74, trial);
    check_case(&r, &close);
  }
  print_message("%llu heads; at most %.3Lf of a weight's bound, %.3Lf, %.3Lf and %.3Lf of those of changes\n",
                (unsigned long long)cases, close.weight, close.excess, close.stretch, close.turn);
  /* So that a bound too large by half would be seen. */
  assert_true(close.weight > 0.9L && close.excess > 0.67L && close.stretch > 0.67L && close.turn > 0.67L);
}

/* Nothing changes where nothing may. */
static void no_radius(void **state) {
  (void)state;
  for (uint64_t trial = 0; trial < 50; trial++) {
    random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 75, trial);
    ball_case c;
    ball_curvature_scratch s;
    ball_case_init(&c, 1.0, &r);
    assert_int_equal(ball_curvature_scratch_init(&s, c.geometry.n, NULL), ATTCERT_OK);
    ball_change(&s.changes, &c.geometry, 0.0);
    for (int at = 0; at < c.geometry.n * c.geometry.n; at++) {
      assert_true(mpfr_zero_p(s.changes.excess + at));
      assert_true(mpfr_zero_p(s.changes.stretch + at));
      assert_true(mpfr_zero_p(s.changes.turn + at));
      assert_true(mpfr_lessequal_p(s.changes.lower + at, s.changes.upper + at));
    }
    ball_curvature_scratch_clear(&s);
    ball_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(changes), cmocka_unit_test(no_radius)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
