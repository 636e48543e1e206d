/* Sizes of a head and of its linear forms, from Gram matrices in intervals, against vectors in long double. */
#include <stdio.h> /* before mpfr.h, for its printf */

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

enum { CASES = 200, MAX_VALUES = 5 * 5 * 5 * 4 };

/* bound is x rounded up, but for what cancels in the Gram matrices. */
static void assert_upper(mpfr_srcptr bound, long double x, const char *what) {
  const long double value = mpfr_get_ld(bound, MPFR_RNDN);
  const long double relative = slow_head_tolerance(), absolute = relative / 100;
  if (value >= x * (1 - relative) - absolute && value <= x * (1 + 1e-12L + relative) + 1e-15L + absolute) return;
  fail_msg("%s is %.18Lg, expected %.18Lg", what, value, x);
}

static bool in_part(const ball_case *c, int part, size_t m) {
  return part == BALL_ALL || ball_region_moves(&c->region, (int)m);
}

/* phi_ij, its coordinates outside of the part set to 0. */
static void restricted_form(long double *out, const slow_head *s, const ball_case *c, int part, size_t i, size_t j) {
  const size_t n = (size_t)s->n, d = (size_t)s->dim;
  for (size_t m = 0; m < n; m++) {
    for (size_t k = 0; k < d; k++) out[m * d + k] = in_part(c, part, m) ? s->phi[((i * n + j) * n + m) * d + k] : 0.0L;
  }
}

static void check_row(const ball_case *c, const slow_head *s, size_t i) {
  const ball_geometry *const g = &c->geometry;
  const size_t n = (size_t)s->n, d = (size_t)s->dim, height = (size_t)s->height;
  long double form[MAX_VALUES], other[MAX_VALUES];
  assert_upper(g->gradient + i, slow_norm(s->g + i * d, d), "|g|");
  for (size_t j = 0; j < (size_t)attended_keys(s->mask, (int)i, s->n); j++) {
    const size_t at = i * n + j;
    assert_upper(g->weight + at, s->p[at], "P");
    assert_upper(g->weight_lower + at, s->p[at], "P from below");
    assert_true(mpfr_lessequal_p(g->weight_lower + at, g->weight + at));
    assert_upper(g->deviation + at, slow_norm(s->w + at * height, height), "|v_j - y_i|");
    assert_upper(g->key + at, slow_norm(s->key + at * d, d), "|h_j - hbar_i|");
    for (int part = 0; part < BALL_PARTS; part++) {
      restricted_form(form, s, c, part, i, j);
      const long double length = slow_norm(form, n * d);
      assert_upper(g->slope[part] + at, length, "||phi||");
      const double *const cosine = g->cosine[ball_part_distinct((ball_part)part, &c->region)];
      for (size_t l = 0; l < n; l++) {
        for (size_t m = 0; m < (size_t)attended_keys(s->mask, (int)l, s->n); m++) {
          restricted_form(other, s, c, part, l, m);
          const long double size = length * slow_norm(other, n * d), product = slow_dot(form, other, n * d);
          const long double expected = product * product, found = cosine[(at * n + l) * n + m];
          if (found * size * size < expected * (1 - 1e-12L) - 1e-17L) fail_msg("an angle is too small");
          if (size > 1e-6L && found * size * size > expected + 1e-9L * size * size) fail_msg("an angle is too large");
        }
      }
    }
  }
}

static void rows(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 71, 0);
  for (int trial = 0; trial < CASES; trial++) {
    ball_case c;
    slow_head s;
    long double x[MAX_VALUES];
    ball_case_init(&c, 1.0, &r);
    ball_case_moved(x, &c, NULL);
    slow_head_init(&s, &c.layer.layer, 0, x, c.layer.x.rows);
    assert_true(c.geometry.bounded);
    for (int i = 0; i < s.n; i++) check_row(&c, &s, (size_t)i);
    slow_head_clear(&s);
    ball_case_clear(&c);
  }
}

/* || (P_ij w_ij)_j ||, in one of the parts over the moving j only. */
static void check_products(const ball_case *c, const slow_head *s) {
  const size_t n = (size_t)s->n, height = (size_t)s->height;
  long double matrix[MAX_VALUES];
  for (size_t i = 0; i < n; i++) {
    for (int part = 0; part < BALL_PARTS; part++) {
      for (size_t j = 0; j < n; j++) {
        for (size_t o = 0; o < height; o++)
          matrix[j * height + o] = in_part(c, part, j) ? s->p[i * n + j] * s->w[(i * n + j) * height + o] : 0.0L;
      }
      const long double norm = slow_matrix_norm(matrix, s->n, s->height);
      const long double found = mpfr_get_ld(c->geometry.product[part] + i, MPFR_RNDN);
      if (found < norm * (1 - slow_head_tolerance()) || found > norm * (1 + 1e-4L) + 1e-9L)
        fail_msg("%Lg is not %Lg", found, norm);
    }
  }
}

/* ||M(F)|| for F along each form and at random is at most `mixed`, and for some F more than a third. */
static void check_mixed(const ball_case *c, const slow_head *s, bool forms, random_source *r) {
  const size_t n = (size_t)s->n, d = (size_t)s->dim;
  long double matrix[25], direction[MAX_VALUES], form[MAX_VALUES], largest = 0;
  for (size_t trial = 0; trial < n * n + 20; trial++) {
    for (size_t k = 0; k < n * d; k++) direction[k] = random_gaussian(r);
    if (trial < n * n) restricted_form(direction, s, c, BALL_ALL, trial / n, trial % n);
    for (size_t m = 0; m < n * d; m++) direction[m] = !forms || in_part(c, BALL_MOVING, m / d) ? direction[m] : 0.0L;
    const long double length = slow_norm(direction, n * d);
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) {
        restricted_form(form, s, c, BALL_ALL, i, j);
        const bool counts = forms || in_part(c, BALL_MOVING, j);
        matrix[i * n + j] =
            counts && length > 1e-9L ? s->p[i * n + j] * slow_dot(form, direction, n * d) / length : 0.0L;
      }
    }
    largest = fmaxl(largest, slow_matrix_norm(matrix, s->n, s->n));
  }
  const long double found = mpfr_get_ld(c->geometry.mixed[forms], MPFR_RNDN);
  if (found < largest * (1 - 1e-15L)) fail_msg("||M(F)|| is %Lg, the bound %Lg", largest, found);
  if (found > 3 * largest + 1e-9L) fail_msg("the bound %Lg of ||M(F)|| is far from %Lg", found, largest);
}

static void norms(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 72, 0);
  for (int trial = 0; trial < CASES / 4; trial++) {
    ball_case c;
    slow_head s;
    long double x[MAX_VALUES];
    ball_case_init(&c, 1.0, &r);
    ball_case_moved(x, &c, NULL);
    slow_head_init(&s, &c.layer.layer, 0, x, c.layer.x.rows);
    check_products(&c, &s);
    check_mixed(&c, &s, false, &r);
    check_mixed(&c, &s, true, &r);
    slow_head_clear(&s);
    ball_case_clear(&c);
  }
}

/* A token alone, and the first one under the causal mask, attend to themselves: nothing deviates. */
static void lone_tokens(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 73, 0);
  int seen = 0;
  for (int trial = 0; trial < CASES; trial++) {
    ball_case c;
    ball_case_init(&c, 1.0, &r);
    if (attended_keys(c.geometry.mask, 0, c.geometry.n) == 1) {
      assert_true(mpfr_zero_p(c.geometry.deviation));
      assert_true(mpfr_zero_p(c.geometry.key));
      assert_true(mpfr_zero_p(c.geometry.slope[BALL_ALL]));
      assert_true(mpfr_zero_p(c.geometry.rate));
      seen++;
    }
    ball_case_clear(&c);
  }
  assert_true(seen > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(norms), cmocka_unit_test(lone_tokens)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
