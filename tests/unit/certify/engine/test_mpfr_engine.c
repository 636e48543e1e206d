/* The bound from the explicit Jacobian on a norm that its first precision cannot resolve: capped there it must allow
 * for its radius, uncapped it takes the bits it needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "certify/engine/engine.h"
#include "certify/engine/mpfr_engine.h"
#include "random_layer.h"

static const attcert_engine ENGINES[] = {ATTCERT_ENGINE_MPFR, ATTCERT_ENGINE_DENSE};
static const double NORM = 15 * 0x1p-56;

typedef struct {
  layer_case c;
  attcert_options options;
  attcert_certificate certificate;
  certify_run r;
  double u;
} setting;

/* One token through two heads that cancel but for `rest`: J = 1 + rest - 1. In 53 bits the first two make
 * [1, 1 + 2^-52]. */
static void setting_init(setting *s, double rest, int precision_cap) {
  const layer_shape shape = {.n = 1, .dim = 1, .heads = 2, .head_dim = 2, .out_dim = 1};
  const double v[] = {1, rest, 1, 0}, output[] = {1, 1, -1, 0};
  layer_case_init_zero(&s->c, &shape);
  memcpy(s->c.layer.value_weight, v, sizeof v);
  memcpy(s->c.layer.output_weight, output, sizeof output);
  attcert_options_default(&s->options);
  attcert_certificate_init(&s->certificate);
  assert_int_equal(attcert_matrix_init(&s->certificate.vector, 1, 1, NULL), ATTCERT_OK);
  s->r = (certify_run){.certificate = &s->certificate,
                       .layer = &s->c.layer,
                       .x = &s->c.x,
                       .options = &s->options,
                       .engine = ATTCERT_ENGINE_MPFR,
                       .limits = {.memory = UINT64_MAX, .layer_precision_cap = precision_cap},
                       .threads = 1,
                       .u = &s->u};
  assert_int_equal(certify_run_evaluate(&s->r, 53), ATTCERT_OK);
}

static void setting_clear(setting *s) {
  certify_run_release(&s->r);
  attcert_certificate_clear(&s->certificate);
  layer_case_clear(&s->c);
}

static void bound(setting *s, attcert_engine engine) {
  const bool in_double = engine == ATTCERT_ENGINE_DENSE;
  assert_int_equal((in_double ? mpfr_engine_bound_in_double : mpfr_engine_bound)(&s->r, 1e-12), ATTCERT_OK);
  assert_true(mpfr_lessequal_p(s->certificate.lower, s->certificate.upper));
}

/* The midpoint is 2^-53, the norm nearly twice that. */
static void test_radius_is_added(void **state) {
  (void)state;
  for (int e = 0; e < 2; e++) {
    setting s;
    setting_init(&s, NORM, 53);
    bound(&s, ENGINES[e]);
    assert_int_equal(s.certificate.precision, 53);
    assert_int_equal(s.certificate.engine, ENGINES[e]);
    assert_true(mpfr_cmp_d(s.certificate.lower, NORM) <= 0 && mpfr_cmp_d(s.certificate.upper, NORM) >= 0);
    assert_true(mpfr_cmp_d(s.certificate.upper, 0x1p-50) <= 0);
    setting_clear(&s);
  }
}

static void test_takes_the_bits_it_needs(void **state) {
  (void)state;
  for (int e = 0; e < 2; e++) {
    setting s;
    setting_init(&s, NORM, 4096);
    bound(&s, ENGINES[e]);
    assert_true(s.certificate.precision > 53 && s.certificate.precision <= 1024);
    assert_true(s.certificate.relative_width <= 1e-12);
    assert_true(mpfr_cmp_d(s.certificate.lower, NORM) <= 0 && mpfr_cmp_d(s.certificate.upper, NORM) >= 0);
    setting_clear(&s);
  }
}

/* Where memory ends so do the bits, and what is known stays. */
static void test_stops_at_the_memory_limit(void **state) {
  (void)state;
  setting s;
  setting_init(&s, NORM, 4096);
  s.r.limits.memory = engine_bytes(ATTCERT_ENGINE_MPFR, &s.c.layer, 1, s.certificate.precision, &s.options);
  const int precision = s.certificate.precision;
  bound(&s, ATTCERT_ENGINE_MPFR);
  assert_int_equal(s.certificate.precision, precision);
  assert_true(mpfr_number_p(s.certificate.upper) && mpfr_cmp_d(s.certificate.upper, NORM) >= 0);
  setting_clear(&s);
}

/* A better bound that is already known is kept, with its engine. */
static void test_keeps_the_better_bound(void **state) {
  (void)state;
  setting s;
  setting_init(&s, NORM, 53);
  mpfr_set_d(s.certificate.upper, NORM, MPFR_RNDU);
  s.certificate.engine = ATTCERT_ENGINE_POINTWISE;
  bound(&s, ATTCERT_ENGINE_MPFR);
  assert_true(mpfr_cmp_d(s.certificate.upper, NORM) == 0);
  assert_int_equal(s.certificate.engine, ATTCERT_ENGINE_POINTWISE);
  setting_clear(&s);
}

/* Heads that cancel exactly: one midpoint 0 and one radius, whatever the bits. */
static void test_exact_cancellation(void **state) {
  (void)state;
  setting s;
  setting_init(&s, 0, 256);
  bound(&s, ATTCERT_ENGINE_MPFR);
  assert_true(mpfr_zero_p(s.certificate.lower) && mpfr_zero_p(s.certificate.upper));
  assert_true(s.certificate.relative_width == 0);
  setting_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_radius_is_added),           cmocka_unit_test(test_takes_the_bits_it_needs),
      cmocka_unit_test(test_stops_at_the_memory_limit), cmocka_unit_test(test_keeps_the_better_bound),
      cmocka_unit_test(test_exact_cancellation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
