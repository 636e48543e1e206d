/* Entropies of rows of weights against Arb, and the measure of token similarity against exact cases. */
#include "interval_relation.h"
#include "spectrum/entropy.h"
#include "spectrum/token_similarity.h"

#include "interval/interval_arith.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "random_source.h"
#include "spectrum_oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 40, BITS = 128 };

typedef struct {
  interval p[MOST], value;
  interval_scratch ws;
} row;

static int setup(void **state) {
  static row r;
  for (int i = 0; i < MOST; i++) interval_init(&r.p[i], BITS);
  interval_init(&r.value, BITS);
  interval_scratch_init(&r.ws, BITS);
  *state = &r;
  return 0;
}

static int teardown(void **state) {
  row *const r = *state;
  for (int i = 0; i < MOST; i++) interval_clear(&r->p[i]);
  interval_clear(&r->value);
  interval_scratch_clear(&r->ws);
  return 0;
}

static double width(const interval *a) {
  return interval_relation_whole(a) ? INFINITY : mpfr_get_d(a->hi, MPFR_RNDU) - mpfr_get_d(a->lo, MPFR_RNDD);
}

/* - sum x ln x of doubles. */
static void exact_entropy(arb_t h, const double *x, int n) {
  arb_t t, u;
  arb_init(t);
  arb_init(u);
  arb_zero(h);
  for (int i = 0; i < n; i++) {
    if (x[i] == 0) continue;
    arb_set_d(t, x[i]);
    arb_log(u, t, 300);
    arb_submul(h, t, u, 300);
  }
  arb_clear(t);
  arb_clear(u);
}

static void uniform_and_certain(void **state) {
  row *const r = *state;
  arb_t exact;
  arb_init(exact);
  for (int n = 1; n <= 32; n *= 2) { /* equal weights: ln n */
    for (int i = 0; i < n; i++) interval_set_d(&r->p[i], 1.0 / n);
    spectrum_entropy(&r->value, r->p, (size_t)n, &r->ws);
    arb_log_ui(exact, (ulong)n, 300);
    assert_true(spectrum_oracle_contains("ln n", &r->value, exact));
    assert_true(width(&r->value) < 1e-15);
  }
  interval_set_d(&r->p[0], 1);
  for (int i = 1; i < 5; i++) interval_set_d(&r->p[i], 0);
  spectrum_entropy(&r->value, r->p, 5, &r->ws);
  assert_true(mpfr_zero_p(r->value.lo) && mpfr_zero_p(r->value.hi));
  arb_clear(exact);
}

/* Weights below every double, and their intervals down to 0. */
static void underflow(void **state) {
  row *const r = *state;
  interval_set_d(&r->p[0], 1);
  interval_set_d(&r->p[1], 1);
  interval_scale_2exp(&r->p[1], &r->p[1], -100000000);
  spectrum_entropy(&r->value, r->p, 2, &r->ws);
  assert_true(mpfr_sgn(r->value.lo) > 0 && mpfr_cmp_d(r->value.hi, 1e-300) < 0);
  mpfr_set_zero(r->p[1].lo, 1);
  spectrum_entropy(&r->value, r->p, 2, &r->ws);
  assert_true(mpfr_zero_p(r->value.lo) && mpfr_sgn(r->value.hi) > 0);
}

/* Every choice of weights in the intervals has its entropy in the result, the largest at 1/e included. */
static void wide_weights(void **state) {
  row *const r = *state;
  arb_t exact;
  arb_init(exact);
  for (uint64_t c = 0; c < 300; c++) {
    random_source s = random_source_make(5, 6, c);
    const int n = random_integer(&s, 1, 6);
    double low[6], x[6];
    for (int i = 0; i < n; i++) {
      low[i] = random_chance(&s, 0.2) ? 0 : random_uniform(&s, 0, 0.6);
      const double span = random_chance(&s, 0.3) ? 0 : random_uniform(&s, 0, 0.4);
      mpfr_set_d(r->p[i].lo, low[i], MPFR_RNDD);
      mpfr_set_d(r->p[i].hi, low[i] + span, MPFR_RNDU);
      const double at[] = {low[i], low[i] + span, exp(-1), low[i] + random_uniform(&s, 0, 1) * span};
      x[i] = at[random_integer(&s, 0, 3)];
      if (x[i] < low[i] || x[i] > low[i] + span) x[i] = low[i];
    }
    spectrum_entropy(&r->value, r->p, (size_t)n, &r->ws);
    exact_entropy(exact, x, n);
    assert_true(spectrum_oracle_contains("entropy", &r->value, exact));
  }
  arb_clear(exact);
}

static void similarity(void **state) {
  row *const r = *state;
  arb_t exact;
  arb_init(exact);
  static const double y[] = {3, 1, -1, 1, 4, 1}; /* columns (3, -1, 4) and (1, 1, 1): 14 of 26 + 3 */
  for (int i = 0; i < 6; i++) interval_set_d(&r->p[i], y[i]);
  spectrum_token_similarity(&r->value, r->p, 3, 2);
  arb_set_si(exact, 14);
  arb_div_si(exact, exact, 29, 300);
  arb_sqrt(exact, exact, 300);
  assert_true(spectrum_oracle_contains("similarity", &r->value, exact) && width(&r->value) < 1e-15);
  spectrum_token_similarity(&r->value, r->p, 1, 6); /* one token differs from none */
  assert_true(mpfr_zero_p(r->value.lo) && mpfr_zero_p(r->value.hi));
  interval_set_d(&r->p[1], -3);
  spectrum_token_similarity(&r->value, r->p, 2, 1); /* opposite ones: the mean is 0 */
  assert_true(mpfr_cmp_d(r->value.lo, 1 - 1e-15) > 0 && mpfr_cmp_ui(r->value.hi, 1) <= 0);
  interval_set_d(&r->p[0], 0);
  interval_set_d(&r->p[1], 0);
  spectrum_token_similarity(&r->value, r->p, 2, 1);
  assert_true(interval_relation_whole(&r->value));
  arb_clear(exact);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(uniform_and_certain), cmocka_unit_test(underflow),
                                     cmocka_unit_test(wide_weights), cmocka_unit_test(similarity)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
