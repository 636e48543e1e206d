/* T(tau) against second derivatives by finite differences of the forward pass in long double, at points of the ball, in
 * directions that an ascent makes as large as it can. ATTCERT_CASES=N  heads     ATTCERT_SEED=S  which */
#include <stdio.h> /* before mpfr.h, for its printf */

#include "ball/ball_curvature.h"
#include "ball_case.h"
#include "slow_head.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 60, MAX_VALUES = 5 * 5 * 5 * 4 };

/* out := f(x + a e + b f), W_h y_i of the head. */
static void forward(long double *out, const ball_case *c, const long double *x, long double a, const long double *e,
                    long double b, const long double *f) {
  const size_t count = (size_t)c->layer.x.rows * (size_t)c->layer.x.cols;
  long double moved[MAX_VALUES];
  slow_head s;
  for (size_t k = 0; k < count; k++) moved[k] = x[k] + a * e[k] + b * f[k];
  slow_head_init(&s, &c->layer.layer, 0, moved, c->layer.x.rows);
  memcpy(out, s.y, (size_t)s.n * (size_t)s.height * sizeof *out);
  slow_head_clear(&s);
}

/* out := D^2 f(x)[e, f], to about 1e-9; returns the number of outputs. */
static size_t second_derivative(long double *out, const ball_case *c, const long double *x, const long double *e,
                                const long double *f) {
  static const long double h = 1e-4L;
  const attcert_layer *const l = &c->layer.layer;
  const size_t outputs = (size_t)c->layer.x.rows * (size_t)(l->output_weight != NULL ? l->out_dim : l->head_dim);
  long double value[4][MAX_VALUES];
  for (int k = 0; k < 4; k++) forward(value[k], c, x, k < 2 ? h : -h, e, k % 2 == 0 ? h : -h, f);
  for (size_t o = 0; o < outputs; o++) out[o] = (value[0][o] - value[1][o] - value[2][o] + value[3][o]) / (4 * h * h);
  return outputs;
}

/* e := a unit vector on the tokens that move, or (all) on every token, for which u . D^2 f(x)[e, f] is largest. */
static bool best_displacement(long double *e, const ball_case *c, const long double *x, const long double *u,
                              const long double *f, bool all) {
  const size_t d = (size_t)c->layer.x.cols, count = (size_t)c->layer.x.rows * d;
  long double unit[MAX_VALUES] = {0}, image[MAX_VALUES];
  for (size_t k = 0; k < count; k++) {
    unit[k] = 1;
    const size_t outputs = second_derivative(image, c, x, unit, f);
    unit[k] = 0;
    e[k] = all || ball_region_moves(&c->region, (int)(k / d)) ? slow_dot(u, image, outputs) : 0;
  }
  const long double length = slow_norm(e, count);
  for (size_t k = 0; k < count && length > 1e-6L; k++) e[k] /= length;
  return length > 1e-6L;
}

/* The largest |D^2 f(x)[e, f]| that a few rounds find, e and u and f in turn. */
static long double ascend(const ball_case *c, const long double *x, random_source *r) {
  const size_t count = (size_t)c->layer.x.rows * (size_t)c->layer.x.cols;
  long double e[MAX_VALUES], f[MAX_VALUES], u[MAX_VALUES], largest = 0;
  for (size_t k = 0; k < count; k++) e[k] = random_gaussian(r), f[k] = random_gaussian(r);
  const long double length = slow_norm(f, count);
  for (size_t k = 0; k < count; k++) f[k] /= length;
  for (int round = 0; round < 5; round++) {
    const size_t outputs = second_derivative(u, c, x, e, f);
    const long double size = slow_norm(u, outputs);
    if (round > 0) largest = fmaxl(largest, size);
    for (size_t o = 0; o < outputs && size > 0; o++) u[o] /= size;
    if (!best_displacement(e, c, x, u, f, false) || !best_displacement(f, c, x, u, e, true)) break;
  }
  return largest;
}

static void check_case(uint64_t trial, long double *closest) {
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 76, trial);
  ball_case c;
  ball_curvature_scratch s;
  mpfr_t bound;
  long double x[MAX_VALUES], e[MAX_VALUES];
  mpfr_init2(bound, BALL_PRECISION);
  ball_case_init(&c, trial % 2 == 0 ? 1e-3 : 0.5, &r);
  assert_int_equal(ball_curvature_scratch_init(&s, c.geometry.n, NULL), ATTCERT_OK);
  assert_int_equal(ball_curvature(bound, &c.geometry, c.region.radius, &s, NULL), ATTCERT_OK);
  const long double limit = mpfr_get_ld(bound, MPFR_RNDU);
  for (int point = 0; point < 4; point++) {
    ball_case_displacement(e, &c, NULL, &r);
    ball_case_moved(x, &c, point > 0 ? e : NULL);
    const long double found = ascend(&c, x, &r);
    if (!(found <= limit * (1 + 1e-6L) + 1e-6L)) fail_msg("trial %d: D^2 f is %Lg, T %Lg", (int)trial, found, limit);
    if (limit > 1e-6L) *closest = fmaxl(*closest, found / limit);
  }
  ball_curvature_scratch_clear(&s);
  ball_case_clear(&c);
  mpfr_clear(bound);
}

static void second_derivatives(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  long double closest = 0;
  for (uint64_t trial = 0; trial < cases; trial++) check_case(trial, &closest);
  print_message("%llu heads; the second derivative reaches %.3Lf of T\n", (unsigned long long)cases, closest);
  assert_true(closest > 0.67L); /* so that a T too large by half would be seen */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(second_derivatives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
