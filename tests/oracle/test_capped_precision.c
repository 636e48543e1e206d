/* The engines held to 53 bits, where the pipeline would take more: on hostile layers the enclosures become wide, but
 * they still hold the oracle's norm. Here the radii carry the proof, which at higher precision disappear behind tau's
 * slack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "certify/engine/engine.h"
#include "certify/engine/mpfr_engine.h"
#include "enclosure_verdict.h"

enum { CASES = 12, SEED = 71, PRECISION = 53 };

/* A run of the certifier that may not raise its precision, layer evaluated. */
typedef struct {
  layer_case c;
  norm_oracle truth;
  attcert_options options;
  attcert_certificate certificate;
  attcert_matrix direction;
  certify_run r;
} capped;

static void capped_init(capped *t, int family, uint64_t index) {
  layer_case_init(&t->c, family, SEED, index);
  truth_init(&t->truth, &t->c);
  attcert_options_default(&t->options);
  t->options.precision = PRECISION;
  t->options.threads = 1;
  attcert_certificate_init(&t->certificate);
  const int n = t->c.x.rows, d = t->c.x.cols;
  assert_int_equal(attcert_matrix_init(&t->certificate.vector, n, d, NULL), ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&t->direction, n, d, NULL), ATTCERT_OK);
  random_source r = random_source_make(SEED, 1, index);
  random_fill_gaussian(t->direction.data, (size_t)n * (size_t)d, 1, &r);
  t->r = (certify_run){.certificate = &t->certificate,
                       .layer = &t->c.layer,
                       .x = &t->c.x,
                       .options = &t->options,
                       .engine = ATTCERT_ENGINE_POINTWISE,
                       .limits = {.memory = UINT64_MAX, .layer_precision_cap = PRECISION},
                       .threads = 1,
                       .u = t->direction.data,
                       .sigma = 1};
  assert_int_equal(certify_run_evaluate(&t->r, PRECISION), ATTCERT_OK);
}

static void capped_clear(capped *t) {
  certify_run_release(&t->r);
  attcert_certificate_clear(&t->certificate);
  attcert_matrix_clear(&t->direction);
  norm_oracle_clear(&t->truth);
  layer_case_clear(&t->c);
}

/* Whatever the estimate of the norm: 1, in units of the factored Jacobian, is as good as any. */
static void bound_by(capped *t, attcert_engine engine) {
  assert_int_equal(engine_of(engine)->bound(&t->r, 1e-12), ATTCERT_OK);
}

static void bound_by_mpfr(capped *t) {
  bound_by(t, ATTCERT_ENGINE_MPFR);
}

static void bound_by_rounded_gram(capped *t) {
  assert_int_equal(mpfr_engine_bound_in_double(&t->r, 1e-10), ATTCERT_OK);
}

static void bound_by_dense(capped *t) {
  bound_by(t, ATTCERT_ENGINE_DENSE);
}

static void bound_by_deflated(capped *t) {
  bound_by(t, ATTCERT_ENGINE_DEFLATED);
}

static void bound_by_pointwise(capped *t) {
  bound_by(t, ATTCERT_ENGINE_POINTWISE);
}

static void bound_by_frobenius(capped *t) {
  bound_by(t, ATTCERT_ENGINE_FROBENIUS);
}

/* With a direction's lower bound and one engine's upper bound. */
static void assert_holds(void (*bound)(capped *t), int family, uint64_t index) {
  capped t;
  bool sharp;
  capped_init(&t, family, index);
  if (t.r.m.zero) {
    assert_true(arf_is_zero(t.truth.lower));
  } else {
    assert_int_equal(certify_run_improve_lower(&t.r, t.direction.data, &sharp), ATTCERT_OK);
    bound(&t);
    if (enclosure_verdict(&t.certificate, ATTCERT_ENGINE_POINTWISE, &t.truth) != VERDICT_HOLDS)
      fail_msg("%s:%d:%llu is missed", random_layer_family(family), SEED, (unsigned long long)index);
  }
  capped_clear(&t);
}

static void for_every_case(void (*bound)(capped *t)) {
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < CASES; index++) assert_holds(bound, family, index);
}

/* A proposal that holds a NaN or an infinity certifies nothing. */
static void test_no_direction(void **state) {
  static const double nothing[] = {NAN, INFINITY, -INFINITY};
  (void)state;
  for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
    capped t;
    bool sharp = true;
    capped_init(&t, 0, 0);
    t.direction.data[t.direction.rows * t.direction.cols - 1] = nothing[i];
    assert_int_equal(certify_run_improve_lower(&t.r, t.direction.data, &sharp), ATTCERT_OK);
    assert_true(mpfr_zero_p(t.certificate.lower) && !sharp);
    capped_clear(&t);
  }
}

static void test_mpfr(void **state) {
  (void)state;
  for_every_case(bound_by_mpfr);
}

static void test_rounded_gram(void **state) {
  (void)state;
  for_every_case(bound_by_rounded_gram);
}

static void test_dense(void **state) {
  (void)state;
  for_every_case(bound_by_dense);
}

static void test_deflated(void **state) {
  (void)state;
  for_every_case(bound_by_deflated);
}

static void test_pointwise(void **state) {
  (void)state;
  for_every_case(bound_by_pointwise);
}

static void test_frobenius(void **state) {
  (void)state;
  for_every_case(bound_by_frobenius);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_direction), cmocka_unit_test(test_mpfr),     cmocka_unit_test(test_rounded_gram),
      cmocka_unit_test(test_dense),        cmocka_unit_test(test_deflated), cmocka_unit_test(test_pointwise),
      cmocka_unit_test(test_frobenius),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
