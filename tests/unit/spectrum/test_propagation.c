/* The propagation probability against Arb's error function, and random walks: the moments that the formula takes, one
 * seed's frequencies, and agreement where its assumptions hold. */
#include "spectrum/head.h"
#include "spectrum/propagation/propagation.h"
#include "spectrum/propagation/random_walk.h"
#include "spectrum_oracle.h"

#include "interval/interval_set.h"
#include "random_source.h"

#include <arb_hypgeom.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BITS = 300 };

/* (P(0 <= Z <= 1), Z ~ N(mu, v). */
static void exact_probability(arb_t rho, const arb_t mu, const arb_t v) {
  arb_t root, t;
  arb_init(root);
  arb_init(t);
  arb_mul_2exp_si(root, v, 1);
  arb_sqrt(root, root, BITS);
  arb_div(rho, mu, root, BITS);
  arb_hypgeom_erf(rho, rho, BITS);
  arb_sub_si(t, mu, 1, BITS);
  arb_neg(t, t);
  arb_div(t, t, root, BITS);
  arb_hypgeom_erf(t, t, BITS);
  arb_add(rho, rho, t, BITS);
  arb_mul_2exp_si(rho, rho, -1);
  arb_clear(root);
  arb_clear(t);
}

/* c_2 t^2 + c_1 t + c_0 with t = i / T and twelfths for coefficients, times x / d. */
static void quadratic(arb_t v, int c2, int c1, int c0, int i, int length, const arb_t x, int dim) {
  arb_t t, u;
  arb_init(t);
  arb_init(u);
  arb_set_si(t, i);
  arb_div_si(t, t, length, BITS);
  arb_mul_si(u, t, c2, BITS);
  arb_add_si(u, u, c1, BITS);
  arb_mul(u, u, t, BITS);
  arb_add_si(u, u, c0, BITS);
  arb_div_si(u, u, 12 * (slong)dim, BITS);
  arb_addmul(v, u, x, BITS);
  arb_clear(t);
  arb_clear(u);
}

static void check(double trace, double square, double frobenius, int dim, int i, int length) {
  spectrum_traces traces;
  spectrum_propagation p;
  arb_t mu, v, x, rho;
  arb_init(mu), arb_init(v), arb_init(x), arb_init(rho);
  spectrum_traces_init(&traces);
  spectrum_propagation_init(&p);
  interval_set_d(&traces.trace, trace);
  interval_set_d(&traces.trace_of_square, square);
  interval_set_d(&traces.frobenius, frobenius);
  spectrum_propagation_enclose(&p, &traces, dim, i, length);
  arb_set_d(mu, trace);
  arb_mul_si(mu, mu, 2 * i - length, BITS);
  arb_div_si(mu, mu, 2 * length, BITS);
  arb_sqrt_ui(x, (ulong)dim, BITS);
  arb_div(mu, mu, x, BITS);
  arb_set_d(x, frobenius);
  arb_mul(x, x, x, BITS);
  quadratic(v, 12, -12, 4, i, length, x, dim);
  arb_set_d(x, square);
  quadratic(v, 12, -12, 3, i, length, x, dim);
  exact_probability(rho, mu, v);
  assert_true(spectrum_oracle_contains("rho", &p.rho, rho));
  assert_true(mpfr_get_d(p.rho.hi, MPFR_RNDU) - mpfr_get_d(p.rho.lo, MPFR_RNDD) < 1e-15);
  assert_int_equal(p.has_symmetric, square > 0);
  if (square > 0) {
    arb_zero(v);
    quadratic(v, 24, -24, 7, i, length, x, dim);
    exact_probability(rho, mu, v);
    assert_true(spectrum_oracle_contains("symmetric rho", &p.symmetric, rho));
  }
  spectrum_traces_clear(&traces);
  spectrum_propagation_clear(&p);
  arb_clear(mu), arb_clear(v), arb_clear(x), arb_clear(rho);
}

static void formula(void **state) {
  (void)state;
  for (uint64_t c = 0; c < 200; c++) {
    random_source r = random_source_make(7, 8, c);
    const int length = random_integer(&r, 2, 200), dim = random_integer(&r, 1, 800);
    const double frobenius = random_magnitude(&r, -20, 10), square = random_uniform(&r, -1, 1) * frobenius * frobenius,
                 trace = random_uniform(&r, -1, 1) * frobenius * sqrt(dim);
    check(trace, square, frobenius, dim, random_integer(&r, 1, length), length);
  }
}

static void no_weights(void **state) {
  (void)state;
  spectrum_traces traces;
  spectrum_propagation p;
  spectrum_traces_init(&traces);
  spectrum_propagation_init(&p);
  spectrum_propagation_enclose(&p, &traces, 4, 1, 2);
  assert_true(mpfr_zero_p(p.rho.lo) && mpfr_cmp_ui(p.rho.hi, 1) == 0); /* nothing is claimed */
  assert_false(p.has_symmetric);
  spectrum_traces_clear(&traces);
  spectrum_propagation_clear(&p);
}

/* W = diag(scale sign), the first half of each `period` positive, the others negative. */
static attcert_layer diagonal_head(int d, double scale, int period) {
  attcert_layer layer;
  assert_int_equal(attcert_layer_init(&layer, d, 1, d, 0, false, NULL), ATTCERT_OK);
  for (int i = 0; i < d; i++) {
    layer.query_weight[i * d + i] = 1;
    layer.key_weight[i * d + i] = i % period < period / 2 ? scale : -scale;
  }
  return layer;
}

/* With many tokens, many dimensions and scores that are large beside 1/T, frequencies follow the formula, symmetric as
 * W is: within 0.06, of which four standard errors are 0.04 and what the formula leaves out, about 1/T, is 0.016. */
static void walks_follow_formula(void **state) {
  (void)state;
  enum { LENGTH = 64, DIM = 96 };
  static spectrum_frequency inside[LENGTH];
  static const int periods[] = {2, 13}; /* tr W = 0, and 8 of 96 times the scale */
  for (int c = 0; c < 2; c++) {
    attcert_layer layer = diagonal_head(DIM, 1, periods[c]);
    const spectrum_walk walk = {LENGTH, 2500, 12};
    spectrum_head head;
    assert_int_equal(spectrum_head_enclose(&head, &layer, 0, NULL, NULL), ATTCERT_OK);
    assert_int_equal(spectrum_random_walk(inside, &walk, &layer, 0, NULL, NULL), ATTCERT_OK);
    for (int i = 4; i <= LENGTH; i += 4) {
      spectrum_propagation p;
      spectrum_propagation_init(&p);
      spectrum_propagation_enclose(&p, &head.traces, DIM, i, LENGTH);
      const double rho = mpfr_get_d(p.symmetric.lo, MPFR_RNDN), found = inside[i - 1].frequency;
      if (fabs(found - rho) > 0.06) fail_msg("i = %d: %g of the walks, rho %g", i, found, rho);
      assert_true(inside[i - 1].low <= found && found <= inside[i - 1].high);
      assert_true(inside[i - 1].high - inside[i - 1].low < 0.04);
      spectrum_propagation_clear(&p);
    }
    spectrum_head_clear(&head);
    attcert_layer_clear(&layer);
  }
}

static void one_seed_one_result(void **state) {
  (void)state;
  spectrum_frequency one[8], same[8], other[8];
  attcert_layer layer = diagonal_head(5, 1, 2);
  assert_int_equal(spectrum_random_walk(one, &(spectrum_walk){8, 100, 1}, &layer, 0, NULL, NULL), ATTCERT_OK);
  assert_int_equal(spectrum_random_walk(same, &(spectrum_walk){8, 100, 1}, &layer, 0, NULL, NULL), ATTCERT_OK);
  assert_int_equal(spectrum_random_walk(other, &(spectrum_walk){8, 100, 2}, &layer, 0, NULL, NULL), ATTCERT_OK);
  assert_memory_equal(one, same, sizeof one);
  assert_true(memcmp(one, other, sizeof one) != 0);
  attcert_layer_clear(&layer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(formula), cmocka_unit_test(no_weights),
                                     cmocka_unit_test(walks_follow_formula), cmocka_unit_test(one_seed_one_result)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
