/* The table of engines: their names, the widths they aim at, what they take, and that each one's bound holds and goes
 * into the certificate under its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "certify/engine/engine.h"
#include "random_layer.h"

static const attcert_engine FIRST = ATTCERT_ENGINE_MPFR, LAST = ATTCERT_ENGINE_FROBENIUS;

static void test_names(void **state) {
  (void)state;
  assert_string_equal(attcert_engine_name(ATTCERT_ENGINE_AUTO), "auto");
  for (attcert_engine e = FIRST; e <= LAST; e++) {
    assert_string_equal(attcert_engine_name(e), engine_of(e)->name);
    for (attcert_engine other = ATTCERT_ENGINE_AUTO; other < e; other++)
      assert_string_not_equal(attcert_engine_name(e), attcert_engine_name(other));
  }
  assert_null(attcert_engine_name((attcert_engine)(LAST + 1)));
  assert_null(attcert_engine_name((attcert_engine)-1));
}

/* The engine's own width where none is asked, or a narrower one that is; a wider one only where the engine relaxes. */
static void test_width(void **state) {
  (void)state;
  attcert_options options;
  attcert_options_default(&options);
  for (attcert_engine e = FIRST; e <= LAST; e++) {
    options.tolerance = 0;
    const double own = engine_width(e, &options);
    assert_true(own > 0 && own == engine_of(e)->width);
    options.tolerance = 1e-14;
    assert_true(engine_width(e, &options) == 1e-14);
    options.tolerance = 0.5;
    assert_true(engine_width(e, &options) == (engine_of(e)->relaxes ? 0.5 : fmin(own, 0.5)));
  }
}

static void test_costs(void **state) {
  (void)state;
  attcert_options options;
  attcert_options_default(&options);
  const attcert_layer layer = {.dim = 32, .heads = 2, .head_dim = 8, .out_dim = 16};
  const uint64_t rest = engine_layer_bytes(&layer, 10, 128);
  for (attcert_engine e = FIRST; e <= LAST; e++) {
    const bool takes_more = e != ATTCERT_ENGINE_POINTWISE;
    assert_int_equal(engine_bytes(e, &layer, 10, 128, &options) > rest, takes_more);
    const double seconds = engine_seconds(e, &layer, 10, &options);
    assert_true(isfinite(seconds) && (seconds > 0) == takes_more);
    const double twice = engine_seconds(e, &layer, 20, &options); /* not all that these take grows with n^2 */
    assert_true(engine_of(e)->relaxes ? twice > seconds : twice >= 4 * seconds);
  }
}

/* Where auto goes from an engine there is an end, words for it on the way, and at the end of memory the layer in
 * intervals and nothing else. */
static void test_where_auto_goes(void **state) {
  (void)state;
  for (attcert_engine e = FIRST; e <= LAST; e++) {
    const engine_row *row = engine_of(e);
    attcert_engine steps = 0;
    for (; row->sharper != ATTCERT_ENGINE_AUTO && steps <= LAST; row = engine_of(row->sharper), steps++)
      assert_true(row->too_wide != NULL && engine_of(row->sharper)->width <= row->width);
    for (row = engine_of(e); row->fallback != ATTCERT_ENGINE_AUTO && steps <= 2 * LAST; steps++) {
      row = engine_of(row->fallback);
      assert_non_null(row->bound_text);
    }
    assert_true(steps <= LAST);
    assert_true(engine_of(e)->fallback == ATTCERT_ENGINE_AUTO || (row->bytes == NULL && row->lower_in_double == NULL));
    assert_int_equal(engine_of(e)->trusts_blas, e != ATTCERT_ENGINE_MPFR && e != ATTCERT_ENGINE_FROBENIUS);
  }
}

/* One token, J = V of rank one and norm 5: every bound is above 5 and, in its own name, close to it. */
static void check_bound(attcert_engine engine) {
  const layer_shape shape = {.n = 1, .dim = 2, .heads = 1, .head_dim = 2};
  static const double v[] = {3, 0, 4, 0};
  layer_case c;
  attcert_options options;
  attcert_certificate certificate;
  double u[] = {1, 0};
  layer_case_init_zero(&c, &shape);
  memcpy(c.layer.value_weight, v, sizeof v);
  attcert_options_default(&options);
  attcert_certificate_init(&certificate);
  assert_int_equal(attcert_matrix_init(&certificate.vector, 1, 2, NULL), ATTCERT_OK);
  certify_run r = {.certificate = &certificate,
                   .layer = &c.layer,
                   .x = &c.x,
                   .options = &options,
                   .engine = engine,
                   .limits = {.memory = UINT64_MAX, .layer_precision_cap = 128},
                   .threads = 1,
                   .u = u};
  assert_int_equal(certify_run_evaluate(&r, 128), ATTCERT_OK);
  r.sigma = ldexp(5, (int)-r.m.exponent);
  assert_int_equal(engine_of(engine)->bound(&r, 1e-10), ATTCERT_OK);
  assert_int_equal(certificate.engine, engine);
  const double close = engine == ATTCERT_ENGINE_RANDOM ? 1e-7 : 1e-9;
  assert_true(mpfr_cmp_d(certificate.upper, 5) >= 0 && mpfr_cmp_d(certificate.upper, 5 * (1 + close)) <= 0);
  certify_run_release(&r);
  attcert_certificate_clear(&certificate);
  layer_case_clear(&c);
}

static void test_bounds(void **state) {
  (void)state;
  for (attcert_engine e = FIRST; e <= LAST; e++) check_bound(e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names), cmocka_unit_test(test_width),  cmocka_unit_test(test_where_auto_goes),
      cmocka_unit_test(test_costs), cmocka_unit_test(test_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
