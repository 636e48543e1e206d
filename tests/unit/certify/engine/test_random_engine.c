/* The engine random in a certificate: its probability is that of the upper end that is reported and of no other, a seed
 * repeats it, and its upper ends are above those that the engine dense proves to be none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "certify/certificate.h"
#include "certify/engine/engine.h"
#include "random_layer.h"

static const layer_shape SHAPE = {.n = 12, .dim = 16, .heads = 2, .head_dim = 4, .mask = ATTCERT_MASK_CAUSAL};

typedef struct {
  layer_case c;
  attcert_certificate certificate;
  attcert_options options;
} subject;

static void begin(subject *s, attcert_engine engine) {
  random_source r = random_source_make(43, 0, 0);
  layer_case_init_gaussian(&s->c, &SHAPE, &r);
  attcert_certificate_init(&s->certificate);
  attcert_options_default(&s->options);
  s->options.engine = engine;
}

static attcert_status certify(subject *s, attcert_error *err) {
  return attcert_certify(&s->certificate, &s->c.layer, &s->c.x, &s->options, err);
}

static void end(subject *s) {
  attcert_certificate_clear(&s->certificate);
  layer_case_clear(&s->c);
}

static void test_probability(void **state) {
  subject s;
  (void)state;
  for (attcert_engine e = ATTCERT_ENGINE_MPFR; attcert_engine_name(e) != NULL; e++) {
    begin(&s, e);
    assert_int_equal(certify(&s, NULL), ATTCERT_OK);
    assert_true(s.certificate.failure_log2 == (e == ATTCERT_ENGINE_RANDOM ? -100.0 : -INFINITY));
    assert_false(s.certificate.seeded);
    end(&s);
  }
  begin(&s, ATTCERT_ENGINE_RANDOM);
  s.options.failure = 1e-3;
  assert_int_equal(certify(&s, NULL), ATTCERT_OK);
  assert_true(exp2(s.certificate.failure_log2) <= 1e-3 && s.certificate.failure_log2 > -10.0);
  certificate_reset(&s.certificate);
  assert_true(s.certificate.failure_log2 == -INFINITY);
  end(&s);
}

/* No probability is left where an upper end that needs none is the lesser one. */
static void test_lesser_end(void **state) {
  subject s;
  mpfr_t upper;
  (void)state;
  begin(&s, ATTCERT_ENGINE_RANDOM);
  s.options.seeded = true;
  certify_run r = {.certificate = &s.certificate, .options = &s.options};
  mpfr_init2(upper, 53);
  mpfr_set_ui(upper, 2, MPFR_RNDN);
  certify_run_improve_likely_upper(&r, upper, ATTCERT_ENGINE_RANDOM, -20.0);
  assert_true(s.certificate.failure_log2 == -20.0 && s.certificate.seeded);
  mpfr_set_ui(upper, 3, MPFR_RNDN);
  certify_run_improve_upper(&r, upper, ATTCERT_ENGINE_DENSE);
  assert_true(s.certificate.failure_log2 == -20.0 && s.certificate.engine == ATTCERT_ENGINE_RANDOM);
  mpfr_set_ui(upper, 1, MPFR_RNDN);
  certify_run_improve_upper(&r, upper, ATTCERT_ENGINE_DENSE);
  assert_true(s.certificate.failure_log2 == -INFINITY && s.certificate.engine == ATTCERT_ENGINE_DENSE);
  assert_false(s.certificate.seeded);
  mpfr_clear(upper);
  end(&s);
}

static void test_seed(void **state) {
  double upper[3];
  (void)state;
  for (uint64_t run = 0; run < 3; run++) {
    subject s;
    begin(&s, ATTCERT_ENGINE_RANDOM);
    s.options.seeded = true;
    s.options.seed = run / 2;
    assert_int_equal(certify(&s, NULL), ATTCERT_OK);
    assert_true(s.certificate.seeded && s.certificate.tolerance_met && s.certificate.relative_width <= 1e-2);
    upper[run] = mpfr_get_d(s.certificate.upper, MPFR_RNDN);
    end(&s);
  }
  assert_true(upper[0] == upper[1] && upper[0] != upper[2]);
}

static void test_width(void **state) {
  static const double widths[] = {1e-1, 1e-3, 1e-6};
  subject dense;
  (void)state;
  begin(&dense, ATTCERT_ENGINE_DENSE);
  assert_int_equal(certify(&dense, NULL), ATTCERT_OK);
  for (int w = 0; w < 3; w++) {
    subject s;
    begin(&s, ATTCERT_ENGINE_RANDOM);
    s.options.tolerance = widths[w];
    assert_int_equal(certify(&s, NULL), ATTCERT_OK);
    assert_true(s.certificate.tolerance_met && s.certificate.relative_width <= widths[w]);
    assert_true(mpfr_greaterequal_p(s.certificate.upper, dense.certificate.lower));
    assert_true(mpfr_lessequal_p(s.certificate.lower, dense.certificate.upper));
    end(&s);
  }
  end(&dense);
}

/* Every process would draw bits of its own. */
static void test_no_group(void **state) {
  const attcert_process_group group = {.size = 1};
  attcert_error err = {0};
  subject s;
  (void)state;
  begin(&s, ATTCERT_ENGINE_RANDOM);
  s.options.group = &group;
  assert_int_equal(attcert_options_check(&s.options, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "processes share a run"));
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_probability), cmocka_unit_test(test_lesser_end), cmocka_unit_test(test_seed),
      cmocka_unit_test(test_width),       cmocka_unit_test(test_no_group),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
