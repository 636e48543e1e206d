/* The deflated engine: above the truth with few vectors or many, close to it where the basis is the whole space, the
 * better the more vectors it may take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cblas.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "certify/engine/deflated.h"
#include "certify_case.h"
#include "enclosure_verdict.h"
#include "kernel_case.h"

/* upper for a width that is never reached, so that memory decides; the estimate does not matter. */
static void deflated_of(mpfr_t upper, certify_case *c, uint64_t memory) {
  attcert_options options;
  attcert_options_default(&options);
  deflated_basis d;
  assert_int_equal(deflated_basis_init(&d, &c->m, memory, NULL), ATTCERT_OK);
  assert_int_equal(deflated_upper(upper, &d, 1.0, -1.0, &options, NULL), ATTCERT_OK);
  deflated_basis_clear(&d);
}

/* truth <= upper <= truth (1 + 1 / reciprocal) */
static void check_truth(certify_case *c, unsigned long reciprocal, const char *name) {
  norm_oracle truth;
  mpfr_t upper;
  mpfr_init2(upper, 100);
  truth_init(&truth, &c->input);
  deflated_of(upper, c, UINT64_MAX);
  assert_upper_of_truth(upper, &truth, reciprocal, name);
  norm_oracle_clear(&truth);
  mpfr_clear(upper);
}

static void test_truth(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES; index++) {
    certify_case c;
    certify_case_init(&c, index);
    check_truth(&c, 1000000000, "gaussian");
    certify_case_clear(&c);
  }
  for (int index = 0; index < HOSTILE_CASES; index++) {
    certify_case c;
    const char *const name = hostile_case_init(&c, index);
    check_truth(&c, 0, name);
    certify_case_clear(&c);
  }
}

/* More rows than vectors to begin with: little memory gives a valid bound, more memory a better one. */
static void test_memory(void **state) {
  (void)state;
  for (int index = 0; index < 4; index++) {
    const layer_shape shape = {.n = 20,
                               .dim = 8,
                               .heads = 2,
                               .head_dim = 5,
                               .out_dim = 8,
                               .mask = index % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
    certify_case c;
    mpfr_t little, much;
    mpfr_inits2(100, little, much, (mpfr_ptr)NULL);
    certify_case_init_shape(&c, &shape, index);
    deflated_of(little, &c, 0);
    check_truth(&c, 1000000000, "many vectors");
    deflated_of(much, &c, UINT64_MAX);
    assert_true(mpfr_number_p(little) && mpfr_lessequal_p(much, little));
    mpfr_mul_d(much, much, 1.5, MPFR_RNDN);
    assert_true(mpfr_lessequal_p(little, much));
    certify_case_clear(&c);
    mpfr_clears(little, much, (mpfr_ptr)NULL);
  }
}

/* The direction and the estimate that come with a basis: those of J~ to the width asked for, or none. */
static void check_proposal(certify_case *c) {
  const size_t cols = (size_t)c->m.n * (size_t)c->m.dim, rows = (size_t)c->m.n * (size_t)c->m.out_dim;
  double *const u = new_doubles(cols), *const image = new_doubles(rows), sigma = 0;
  bool settled = false;
  attcert_options options;
  attcert_options_default(&options);
  deflated_basis d;
  norm_oracle truth;
  truth_init(&truth, &c->input);
  assert_int_equal(deflated_basis_init(&d, &c->m, 0, NULL), ATTCERT_OK);
  assert_int_equal(deflated_basis_propose(u, &sigma, &settled, &d, 1e-9, &options, NULL), ATTCERT_OK);
  assert_true(settled && fabs(cblas_dnrm2((int)cols, u, 1) - 1) < 1e-12);
  structured_jacobian_multiply(&d.jacobian, image, u, 1, false);
  assert_true(fabs(cblas_dnrm2((int)rows, image, 1) / sigma - 1) < 1e-9);
  assert_true(fabs(ldexp(sigma, (int)c->m.exponent) / arf_get_d(truth.lower, ARF_RND_NEAR) - 1) < 1e-9);
  deflated_basis_clear(&d);
  assert_int_equal(deflated_basis_init(&d, &c->m, 0, NULL), ATTCERT_OK);
  assert_int_equal(deflated_basis_propose(u, &sigma, &settled, &d, 1e-60, &options, NULL), ATTCERT_OK);
  assert_true(!settled || rows < 16); /* small spaces may be solved without a residual */
  deflated_basis_clear(&d);
  norm_oracle_clear(&truth);
  free(u);
  free(image);
}

static void test_proposal(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES; index += 5) {
    certify_case c;
    certify_case_init(&c, index);
    if (!c.m.zero) check_proposal(&c);
    certify_case_clear(&c);
  }
}

/* The radius of the midpoints is part of the bound: one that is blown up shows. */
static void test_radius_is_added(void **state) {
  (void)state;
  certify_case c;
  mpfr_t narrow, wide;
  mpfr_inits2(100, narrow, wide, (mpfr_ptr)NULL);
  certify_case_init(&c, 5);
  deflated_of(narrow, &c, UINT64_MAX);
  c.m.p_radius[0] += 0.5;
  deflated_of(wide, &c, UINT64_MAX);
  mpfr_sub(wide, wide, narrow, MPFR_RNDD);
  mpfr_mul_2si(wide, wide, -c.m.exponent, MPFR_RNDD);
  assert_true(mpfr_cmp_d(wide, 1e-3) > 0);
  certify_case_clear(&c);
  mpfr_clears(narrow, wide, (mpfr_ptr)NULL);
}

/* J about I (x) I, whose singular values are all about 1: no basis but the whole space comes close, and growing to that
 * is not what a caller who has other engines wants. */
static void test_growth_that_gains_nothing(void **state) {
  (void)state;
  const layer_shape shape = {.n = 40, .dim = 16, .heads = 1, .head_dim = 16};
  random_source r = random_source_make(31, 0, 0);
  certify_case c;
  mpfr_t upper;
  attcert_options options;
  deflated_basis d;
  attcert_options_default(&options);
  mpfr_init2(upper, 100);
  layer_case_init_gaussian(&c.input, &shape, &r);
  for (int i = 0; i < 16 * 16; i++) {
    c.input.layer.query_weight[i] = c.input.layer.key_weight[i] = i % 17 == 0 ? 10 : 0;
    c.input.layer.value_weight[i] = i % 17 == 0;
  }
  certify_case_evaluate(&c, 128);
  assert_int_equal(deflated_basis_init(&d, &c.m, UINT64_MAX, NULL), ATTCERT_OK);
  assert_int_equal(d.capacity, 640);
  assert_int_equal(deflated_upper(upper, &d, ldexp(1, (int)-c.m.exponent), 1e-6, &options, NULL), ATTCERT_OK);
  assert_true(d.basis.size <= 256);
  assert_true(mpfr_number_p(upper) && mpfr_cmp_d(upper, 1 - 1e-9) >= 0);
  deflated_basis_clear(&d);
  certify_case_clear(&c);
  mpfr_clear(upper);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_truth),           cmocka_unit_test(test_memory),
      cmocka_unit_test(test_proposal),        cmocka_unit_test(test_growth_that_gains_nothing),
      cmocka_unit_test(test_radius_is_added),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
