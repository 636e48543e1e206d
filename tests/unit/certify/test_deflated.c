/* The deflated engine: above the truth with few vectors or many, close to it where the basis is the whole space, the better the
 * more vectors it may take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "certify/deflated.h"
#include "certify_case.h"
#include "enclosure_verdict.h"

/* upper for a width that is never reached, so that memory decides; the estimate does not matter. */
static void deflated_of(mpfr_t upper, certify_case *c, uint64_t memory) {
  attcert_options options;
  attcert_options_default(&options);
  assert_int_equal(deflated_upper(upper, &c->m, 1.0, -1.0, memory, &options, NULL), ATTCERT_OK);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_truth),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_radius_is_added),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
