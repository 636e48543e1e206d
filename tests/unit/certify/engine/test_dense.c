/* The dense engine: above the truth, close to it, at any scale, and adding the factored Jacobian's radius. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "base/process_group.h"
#include "certify/engine/dense.h"
#include "certify_case.h"
#include "enclosure_verdict.h"

static void dense_of(mpfr_t upper, certify_case *c, double sigma) {
  attcert_options options;
  attcert_options_default(&options);
  const panel_storage in_memory = {0};
  double *const u = calloc((size_t)c->m.n * (size_t)c->m.dim, sizeof *u);
  assert_non_null(u);
  assert_int_equal(dense_upper(upper, &c->m, u, &sigma, &in_memory, &options, NULL), ATTCERT_OK);
  free(u);
}

/* ||J~|| in units of the factored Jacobian, as Lanczos would estimate it. */
static double estimate(const certify_case *c, const norm_oracle *truth) {
  arf_t t;
  arf_init(t);
  arf_mul_2exp_si(t, truth->upper, -c->m.exponent);
  const double sigma = arf_get_d(t, ARF_RND_NEAR);
  arf_clear(t);
  return sigma;
}

static void check_truth(certify_case *c, const char *name) {
  norm_oracle truth;
  mpfr_t upper;
  mpfr_init2(upper, 100);
  truth_init(&truth, &c->input);
  dense_of(upper, c, estimate(c, &truth));
  assert_upper_of_truth(upper, &truth, 10000000000, name);
  norm_oracle_clear(&truth);
  mpfr_clear(upper);
}

static void test_truth(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES; index++) {
    certify_case c;
    certify_case_init(&c, index);
    check_truth(&c, "gaussian");
    certify_case_clear(&c);
  }
  for (int index = 0; index < HOSTILE_CASES; index++) {
    certify_case c;
    const char *const name = hostile_case_init(&c, index);
    check_truth(&c, name);
    certify_case_clear(&c);
  }
}

/* J = V for one token: 5 times a rotation by a power of two. */
static void check_one_token(int exponent) {
  const layer_shape shape = {.n = 1, .dim = 2, .heads = 1, .head_dim = 2};
  const double v[] = {3, 4, -4, 3};
  certify_case c;
  mpfr_t upper;
  mpfr_init2(upper, 53);
  layer_case_init_zero(&c.input, &shape);
  for (int i = 0; i < 4; i++) c.input.layer.value_weight[i] = ldexp(v[i], exponent);
  certify_case_evaluate(&c, 128);
  dense_of(upper, &c, ldexp(5, (int)-c.m.exponent + exponent));
  mpfr_mul_2si(upper, upper, -exponent, MPFR_RNDU);
  assert_true(mpfr_cmp_d(upper, 5) >= 0 && mpfr_cmp_d(upper, 5 * (1 + 1e-11)) <= 0);
  certify_case_clear(&c);
  mpfr_clear(upper);
}

static void test_one_token(void **state) {
  (void)state;
  check_one_token(0);
  check_one_token(1000);
  check_one_token(-1070);
}

/* J = V: a row of 1 and many 2^-27, whose squares are lost when they are added to 1 one by one. */
static void test_vanishing_terms(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 1200, .heads = 1, .head_dim = 1};
  certify_case c;
  layer_case_init_zero(&c.input, &shape);
  for (int i = 0; i < shape.dim; i++) c.input.layer.value_weight[i] = i == 0 ? 1 : 0x1p-27;
  certify_case_evaluate(&c, 128);
  check_truth(&c, "vanishing terms");
  certify_case_clear(&c);
}

/* An estimate of any quality gives a bound; here only the distance of the truth is lost. */
static void test_any_estimate(void **state) {
  (void)state;
  static const double factors[] = {0, 0.3, 0.99, 1.2, 1e5, NAN};
  certify_case c;
  norm_oracle truth;
  arf_t value;
  mpfr_t upper;
  arf_init(value);
  mpfr_init2(upper, 53);
  certify_case_init(&c, 13);
  truth_init(&truth, &c.input);
  for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
    dense_of(upper, &c, factors[i] * estimate(&c, &truth));
    arf_set_mpfr(value, upper);
    assert_true(arf_cmp(value, truth.lower) >= 0);
    assert_true(arf_get_d(value, ARF_RND_UP) <= 10 * arf_get_d(truth.upper, ARF_RND_UP));
  }
  norm_oracle_clear(&truth);
  arf_clear(value);
  mpfr_clear(upper);
  certify_case_clear(&c);
}

/* The radius of the midpoints is part of the bound: one that is blown up shows. */
static void test_radius_is_added(void **state) {
  (void)state;
  certify_case c;
  mpfr_t narrow, wide;
  mpfr_inits2(100, narrow, wide, (mpfr_ptr)NULL);
  certify_case_init(&c, 5);
  dense_of(narrow, &c, 1);
  c.m.p_radius[0] += 0.5;
  dense_of(wide, &c, 1);
  mpfr_sub(wide, wide, narrow, MPFR_RNDD);
  mpfr_mul_2si(wide, wide, -c.m.exponent, MPFR_RNDD);
  assert_true(mpfr_cmp_d(wide, 1e-3) > 0);
  c.m.f_radius[0] = INFINITY;
  dense_of(wide, &c, 1);
  assert_true(mpfr_inf_p(wide) && mpfr_sgn(wide) > 0);
  mpfr_clears(narrow, wide, (mpfr_ptr)NULL);
  certify_case_clear(&c);
}

/* The factors in absolute value and the triangle: all of it, a panel with a scratch folder, a share in a group. Sizes
 * beyond counting saturate. */
static void test_bytes(void **state) {
  (void)state;
  attcert_layer layer = {.dim = 64, .heads = 4, .head_dim = 16, .out_dim = 64};
  const uint64_t triangle = UINT64_C(4) * 6400 * 6400, panel = UINT64_C(8) * 6400 * PANEL_WIDTH;
  const attcert_process_group group = {.rank = 2, .size = 5};
  attcert_options options;
  attcert_options_default(&options);
  const dense_memory alone = dense_memory_of(&layer, 100, &options);
  assert_true(alone.fixed >= UINT64_C(8) * 4 * 100 * 16 * (100 + 16));
  assert_true(alone.all_panels >= triangle && alone.all_panels <= triangle + panel);
  assert_true(alone.least_panels == alone.all_panels);
  options.scratch = "/";
  const dense_memory scratch = dense_memory_of(&layer, 100, &options);
  assert_true(scratch.all_panels == alone.all_panels && scratch.least_panels == panel);
  assert_true(scratch.fixed >= alone.fixed + panel);
  options.scratch = NULL;
  options.group = &group;
  const dense_memory shared = dense_memory_of(&layer, 100, &options);
  assert_true(shared.all_panels >= triangle / 5 && shared.all_panels <= triangle / 5 + panel);
  assert_true(shared.fixed >= alone.fixed + panel);
  layer.out_dim = INT32_MAX;
  assert_true(dense_memory_of(&layer, 100, &options).fixed == UINT64_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_truth),           cmocka_unit_test(test_one_token),
      cmocka_unit_test(test_vanishing_terms), cmocka_unit_test(test_any_estimate),
      cmocka_unit_test(test_radius_is_added), cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
