/* The engine frobenius against the Frobenius norm of the oracle's Jacobian, which it is above and, where the intervals
 * are narrow, equal to but for roundings; and where that is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "certify/engine/frobenius.h"
#include "certify/engine/mpfr_engine.h"
#include "certify_case.h"
#include "jacobian_oracle.h"

enum { ORACLE_BITS = 4096 };

/* upper of the engine, whatever the threads. */
static void upper_of(arf_t upper, const certify_case *c) {
  mpfr_t one, several;
  mpfr_inits2(64, one, several, (mpfr_ptr)NULL);
  assert_int_equal(frobenius_upper(one, &c->input.layer, &c->e, 1, NULL), ATTCERT_OK);
  assert_int_equal(frobenius_upper(several, &c->input.layer, &c->e, 3, NULL), ATTCERT_OK);
  assert_true(mpfr_number_p(one) && mpfr_equal_p(one, several));
  arf_set_mpfr(upper, one);
  mpfr_clears(one, several, (mpfr_ptr)NULL);
}

static void truth_of(arb_t norm, const certify_case *c) {
  arb_mat_t jacobian;
  arb_mat_init(jacobian, (slong)certify_case_rows(c), (slong)certify_case_cols(c));
  jacobian_oracle_matrix(jacobian, &c->input.layer, &c->input.x, ORACLE_BITS);
  arb_mat_frobenius_norm(norm, jacobian, ORACLE_BITS);
  arb_mat_clear(jacobian);
}

/* norm <= upper <= norm (1 + 2^excess), as far as the oracle's balls can tell. */
static void check_truth(const certify_case *c, const char *name, slong excess) {
  arb_t norm, limit, bound;
  arb_init(norm);
  arb_init(limit);
  arb_init(bound);
  truth_of(norm, c);
  upper_of(arb_midref(bound), c);
  arb_mul_2exp_si(limit, norm, excess);
  arb_add(limit, limit, norm, ORACLE_BITS);
  if (arb_lt(bound, norm)) fail_msg("%s: below the Frobenius norm", name);
  if (arb_gt(bound, limit)) fail_msg("%s: above it by more than 2^%ld of it", name, excess);
  arb_clear(norm);
  arb_clear(limit);
  arb_clear(bound);
}

static void test_usual(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES; index++) {
    certify_case c;
    certify_case_init(&c, index);
    check_truth(&c, "a Gaussian layer", -50);
    certify_case_clear(&c);
  }
}

/* Where 128 bits are not many for what cancels, less is asked. */
static void test_hostile(void **state) {
  (void)state;
  for (int index = 0; index < HOSTILE_CASES; index++) {
    certify_case c;
    const char *const name = hostile_case_init(&c, index);
    check_truth(&c, name, 0);
    certify_case_clear(&c);
  }
}

/* One token through two heads that cancel but for 15 2^-56, which 53 bits do not resolve: the midpoint is too small by
 * half, and nothing but the radius keeps the bound above the truth. */
static void test_radius(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 1, .heads = 2, .head_dim = 2, .out_dim = 1};
  static const double v[] = {1, 15 * 0x1p-56, 1, 0}, output[] = {1, 1, -1, 0};
  certify_case c;
  layer_case_init_zero(&c.input, &shape);
  memcpy(c.input.layer.value_weight, v, sizeof v);
  memcpy(c.input.layer.output_weight, output, sizeof output);
  certify_case_evaluate(&c, 53);
  check_truth(&c, "heads that cancel", 0);
  certify_case_clear(&c);
}

/* One token: J = V, of norm 5 and Frobenius norm 5 sqrt(2). 2^exponent V, however large or small. */
static void test_known(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 2, .heads = 1, .head_dim = 2};
  static const double v[] = {3, 4, -4, 3};
  static const int exponents[] = {0, 1020, -1070};
  for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
    certify_case c;
    mpfr_t upper, root;
    mpfr_inits2(64, upper, root, (mpfr_ptr)NULL);
    layer_case_init_zero(&c.input, &shape);
    for (int i = 0; i < 4; i++) c.input.layer.value_weight[i] = ldexp(v[i], exponents[e]);
    certify_case_evaluate(&c, 128);
    assert_int_equal(frobenius_upper(upper, &c.input.layer, &c.e, 1, NULL), ATTCERT_OK);
    mpfr_set_ui_2exp(root, 50, 2 * exponents[e], MPFR_RNDN);
    mpfr_sqrt(root, root, MPFR_RNDU);
    assert_true(mpfr_equal_p(upper, root));
    mpfr_clears(upper, root, (mpfr_ptr)NULL);
    certify_case_clear(&c);
  }
}

/* It costs less than the engine that factorises the same matrix. */
static void test_costs(void **state) {
  (void)state;
  attcert_options options;
  attcert_options_default(&options);
  const attcert_layer layer = {.dim = 32, .heads = 2, .head_dim = 8, .out_dim = 16};
  assert_true(frobenius_bytes(&layer, 10, 128, &options) < mpfr_engine_bytes(&layer, 10, 128, &options));
  assert_true(frobenius_seconds(&layer, 10, &options) < mpfr_engine_seconds(&layer, 10, &options));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_usual), cmocka_unit_test(test_hostile), cmocka_unit_test(test_radius),
      cmocka_unit_test(test_known), cmocka_unit_test(test_costs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
