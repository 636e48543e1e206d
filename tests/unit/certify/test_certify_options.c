/* attcert_certify's options: tolerance, precision, memory limit, progress, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "attcert.h"
#include "certify/engine/engine.h"
#include "enclosure_verdict.h"

static void small_case(layer_case *c) {
  const layer_shape shape = {.n = 4, .dim = 3, .heads = 2, .head_dim = 2, .out_dim = 5, .biases = true};
  random_source r = random_source_make(29, 0, 0);
  layer_case_init_gaussian(c, &shape, &r);
}

static attcert_status certify(attcert_certificate *certificate, const layer_case *c, const attcert_options *options,
                              attcert_error *err) {
  return attcert_certify(certificate, &c->layer, &c->x, options, err);
}

/* auto sharpens until the tolerance is met; an engine that cannot says so, with a valid enclosure all the same. */
static void test_tolerance(void **state) {
  (void)state;
  static const struct {
    attcert_engine engine;
    double tolerance;
    bool met;
  } expected[] = {{ATTCERT_ENGINE_AUTO, 1e-6, true},       {ATTCERT_ENGINE_AUTO, 1e-14, true},
                  {ATTCERT_ENGINE_MPFR, 1e-14, true},      {ATTCERT_ENGINE_DENSE, 1e-9, true},
                  {ATTCERT_ENGINE_POINTWISE, 0.999, true}, {ATTCERT_ENGINE_POINTWISE, 1e-9, false},
                  {ATTCERT_ENGINE_FROBENIUS, 0.999, true}, {ATTCERT_ENGINE_FROBENIUS, 1e-9, false},
                  {ATTCERT_ENGINE_MPFR, 1e-17, false}}; /* beyond the 53 bits of the ends */
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    layer_case c;
    attcert_certificate certificate;
    attcert_options options;
    small_case(&c);
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.engine = expected[i].engine;
    options.tolerance = expected[i].tolerance;
    assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
    assert_int_equal(certificate.tolerance_met, expected[i].met);
    assert_int_equal(certificate.relative_width <= expected[i].tolerance, expected[i].met);
    assert_true(mpfr_lessequal_p(certificate.lower, certificate.upper) && mpfr_number_p(certificate.upper));
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
}

static void test_precision(void **state) {
  (void)state;
  static const int precisions[] = {53, 64, 100, 1000};
  for (size_t i = 0; i < sizeof precisions / sizeof precisions[0]; i++) {
    layer_case c;
    attcert_certificate certificate;
    attcert_options options;
    small_case(&c);
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.precision = precisions[i];
    assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
    assert_true(certificate.precision >= precisions[i] && certificate.precision <= 16 * precisions[i]);
    assert_true(certificate.relative_width <= 1e-10);
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
}

static void assert_refused(const layer_case *c, const attcert_options *options, const char *words) {
  attcert_certificate certificate;
  attcert_error err = {0};
  attcert_certificate_init(&certificate);
  assert_int_equal(certify(&certificate, c, options, &err), ATTCERT_INPUT);
  assert_int_equal(err.status, ATTCERT_INPUT);
  if (strstr(err.message, words) == NULL) fail_msg("'%s' does not speak of %s", err.message, words);
  assert_true(mpfr_inf_p(certificate.upper));
  attcert_certificate_clear(&certificate);
}

static void test_refused_options(void **state) {
  (void)state;
  layer_case c;
  attcert_options good, bad;
  small_case(&c);
  attcert_options_default(&good);
  bad = good, bad.precision = 52;
  assert_refused(&c, &bad, "precision");
  bad.precision = 65537;
  assert_refused(&c, &bad, "precision");
  bad.precision = -1;
  assert_refused(&c, &bad, "precision");
  bad = good;
  while (attcert_engine_name(bad.engine) != NULL) bad.engine++;
  assert_refused(&c, &bad, "engine");
  bad = good, bad.failure = 0.75;
  assert_refused(&c, &bad, "failure");
  bad.failure = NAN;
  assert_refused(&c, &bad, "failure");
  bad = good, bad.engine = ATTCERT_ENGINE_RANDOM, bad.failure = 0.0;
  assert_refused(&c, &bad, "failure");
  bad = good, bad.tolerance = -1e-9;
  assert_refused(&c, &bad, "tolerance");
  bad.tolerance = NAN;
  assert_refused(&c, &bad, "tolerance");
  bad = good, bad.threads = -2;
  assert_refused(&c, &bad, "threads");
  bad = good, bad.scratch = "/tmp";
  assert_refused(&c, &bad, "scratch");
  bad.engine = ATTCERT_ENGINE_DENSE, bad.scratch = "/tmp/no/such/folder";
  assert_refused(&c, &bad, "/tmp/no/such/folder");
  c.x.data[4] = NAN;
  assert_refused(&c, &good, "input: entry [1, 1]");
  layer_case_clear(&c);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* Too little for dense: auto gives the pointwise bound and says so, dense itself refuses before it allocates. */
static void test_memory_limit(void **state) {
  (void)state;
  layer_case c;
  attcert_certificate certificate;
  attcert_options options;
  attcert_error err = {0};
  small_case(&c);
  attcert_certificate_init(&certificate);
  attcert_options_default(&options);
  options.memory_limit = engine_bytes(ATTCERT_ENGINE_DENSE, &c.layer, c.x.rows, options.precision, &options) - 1;
  assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
  assert_int_equal(certificate.engine, ATTCERT_ENGINE_POINTWISE);
  assert_non_null(strstr(certificate.plan, "loose"));
  options.engine = ATTCERT_ENGINE_DENSE;
  assert_int_equal(certify(&certificate, &c, &options, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "dense"));
  assert_true(mpfr_inf_p(certificate.upper));
  attcert_certificate_clear(&certificate);
  layer_case_clear(&c);
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

typedef struct {
  pthread_t caller;
  int calls;
} listener;

static int listen(void *context, const char *stage, double done) {
  listener *const l = context;
  assert_true(pthread_equal(l->caller, pthread_self()));
  assert_true(strlen(stage) > 0 && strchr(stage, '\n') == NULL && done >= 0 && done <= 1);
  l->calls++;
  return 0;
}

static void test_progress_line(void **state) {
  (void)state;
  for (attcert_engine e = ATTCERT_ENGINE_AUTO; attcert_engine_name(e) != NULL; e++) {
    layer_case c;
    attcert_certificate certificate;
    attcert_options options;
    listener l = {pthread_self(), 0};
    small_case(&c);
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.engine = e;
    options.threads = 3;
    options.progress = listen;
    options.progress_context = &l;
    assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
    assert_true(l.calls >= 3);
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tolerance),    cmocka_unit_test(test_precision),     cmocka_unit_test(test_refused_options),
      cmocka_unit_test(test_memory_limit), cmocka_unit_test(test_progress_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
