/* attcert_certify: what a certificate says about itself, with every engine, on norms that are known. (Enclosures of the
 * truth: tests/oracle/test_enclosure.c; options: test_certify_options.c.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "attcert.h"
#include "enclosure_verdict.h"

static const attcert_engine ENGINES[] = {ATTCERT_ENGINE_AUTO,     ATTCERT_ENGINE_MPFR,      ATTCERT_ENGINE_DENSE,
                                         ATTCERT_ENGINE_DEFLATED, ATTCERT_ENGINE_POINTWISE, ATTCERT_ENGINE_RANDOM,
                                         ATTCERT_ENGINE_FROBENIUS};
enum { ENGINE_COUNT = sizeof ENGINES / sizeof ENGINES[0] };

static void small_case(layer_case *c, int index) {
  const layer_shape shape = {.n = 4,
                             .dim = 3,
                             .heads = 2,
                             .head_dim = 2,
                             .out_dim = index % 2 ? 5 : 0,
                             .biases = true,
                             .mask = index / 2 % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  random_source r = random_source_make(26, 0, (uint64_t)index);
  layer_case_init_gaussian(c, &shape, &r);
}

static attcert_status certify(attcert_certificate *certificate, const layer_case *c, const attcert_options *options,
                              attcert_error *err) {
  return attcert_certify(certificate, &c->layer, &c->x, options, err);
}

/* ---- defaults and life cycle ------------------------------------------------------------------------------------- */

static void test_defaults(void **state) {
  (void)state;
  attcert_options options;
  attcert_certificate certificate;
  attcert_options_default(&options);
  assert_int_equal(options.engine, ATTCERT_ENGINE_AUTO);
  assert_int_equal(options.precision, 128);
  assert_true(options.tolerance == 0 && options.threads == 0 && options.memory_limit == 0 && options.progress == NULL);
  assert_int_equal(attcert_options_check(&options, NULL), ATTCERT_OK);
  attcert_certificate_init(&certificate);
  assert_true(mpfr_zero_p(certificate.lower) && mpfr_inf_p(certificate.upper) && isinf(certificate.relative_width));
  assert_int_equal(mpfr_get_prec(certificate.upper), 53);
  attcert_certificate_clear(&certificate);
  assert_string_equal(attcert_engine_name(ATTCERT_ENGINE_AUTO), "auto");
  assert_string_equal(attcert_engine_name(ATTCERT_ENGINE_MPFR), "mpfr");
  assert_string_equal(attcert_engine_name(ATTCERT_ENGINE_DENSE), "dense");
  assert_string_equal(attcert_engine_name(ATTCERT_ENGINE_POINTWISE), "pointwise");
  assert_string_equal(attcert_engine_name(ATTCERT_ENGINE_RANDOM), "random");
  assert_string_equal(attcert_engine_name(ATTCERT_ENGINE_FROBENIUS), "frobenius");
}

/* What holds for every successful run. */
static void assert_consistent(const attcert_certificate *certificate, const layer_case *c, attcert_engine asked) {
  assert_true(mpfr_number_p(certificate->lower) && mpfr_number_p(certificate->upper));
  assert_true(mpfr_lessequal_p(certificate->lower, certificate->upper));
  assert_true(fabs(certificate->relative_width - enclosure_width(certificate->lower, certificate->upper)) <= 1e-20);
  assert_true(certificate->engine != ATTCERT_ENGINE_AUTO);
  assert_true(asked == ATTCERT_ENGINE_AUTO || certificate->engine == asked);
  assert_true(certificate->precision >= 53 && strlen(certificate->plan) > 0);
  assert_true(certificate->peak_memory > 1 << 20);
  assert_true(certificate->seconds.total >= certificate->seconds.layer && certificate->seconds.layer > 0);
  assert_int_equal(certificate->vector.rows, c->x.rows);
  assert_int_equal(certificate->vector.cols, c->x.cols);
}

/* The certificate's vector has an image of at least `lower`, and Lanczos' estimate is no worse. */
static void assert_certifies_lower(const attcert_certificate *certificate, const layer_case *c) {
  mpfr_t lo, hi;
  attcert_options options;
  mpfr_inits2(53, lo, hi, (mpfr_ptr)NULL);
  attcert_options_default(&options);
  assert_int_equal(attcert_direction(lo, hi, &c->layer, &c->x, &certificate->vector, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_greaterequal_p(hi, certificate->lower));
  const double near = certificate->engine == ATTCERT_ENGINE_RANDOM ? 1e-2 : 1e-12; /* its steps end at a width */
  assert_true(fabs(certificate->estimate / mpfr_get_d(certificate->lower, MPFR_RNDN) - 1) <= near);
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
}

static void test_every_engine(void **state) {
  (void)state;
  for (int index = 0; index < 4; index++)
    for (int e = 0; e < ENGINE_COUNT; e++) {
      layer_case c;
      attcert_certificate certificate;
      attcert_options options;
      small_case(&c, index);
      attcert_certificate_init(&certificate);
      attcert_options_default(&options);
      options.engine = ENGINES[e];
      assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
      assert_consistent(&certificate, &c, ENGINES[e]);
      assert_certifies_lower(&certificate, &c);
      assert_true(certificate.tolerance_met); /* none was asked */
      assert_true(certificate.relative_width <= promised_width(ENGINES[e]));
      attcert_certificate_clear(&certificate);
      layer_case_clear(&c);
    }
}

/* A certificate used before says nothing about what it is used for next. */
static void test_reused_certificate(void **state) {
  (void)state;
  layer_case small, large;
  attcert_certificate certificate;
  attcert_options options;
  attcert_error err = {0};
  small_case(&small, 0);
  small_case(&large, 1);
  for (int i = 0; i < 12; i++) large.layer.value_weight[i] *= 1e6;
  attcert_certificate_init(&certificate);
  attcert_options_default(&options);
  assert_int_equal(certify(&certificate, &small, &options, NULL), ATTCERT_OK);
  const double first = mpfr_get_d(certificate.upper, MPFR_RNDU);
  assert_int_equal(certify(&certificate, &large, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp_d(certificate.lower, first) > 0);
  assert_int_equal(certify(&certificate, &small, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp_d(certificate.upper, first) == 0);
  options.memory_limit = 1;
  assert_int_equal(certify(&certificate, &small, &options, &err), ATTCERT_RESOURCE);
  assert_true(mpfr_zero_p(certificate.lower) && mpfr_inf_p(certificate.upper));
  attcert_certificate_clear(&certificate);
  layer_case_clear(&small);
  layer_case_clear(&large);
}

/* V = 0: exactly [0, 0], of width 0, by every engine. */
static void test_zero(void **state) {
  (void)state;
  for (int e = 0; e < ENGINE_COUNT; e++) {
    layer_case c;
    attcert_certificate certificate;
    attcert_options options;
    small_case(&c, 3);
    for (int i = 0; i < 12; i++) c.layer.value_weight[i] = 0;
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.engine = ENGINES[e];
    options.tolerance = 1e-12;
    assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
    assert_consistent(&certificate, &c, ENGINES[e]);
    assert_true(mpfr_zero_p(certificate.lower) && mpfr_zero_p(certificate.upper));
    assert_true(certificate.relative_width == 0 && certificate.tolerance_met);
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
}

/* Two heads that cancel but for 15 2^-56, which intervals of 53 bits around 1 do not resolve: their midpoint is too
 * small by half. The first bounds must allow for that, and more bits find the number. */
static void test_norm_below_the_first_precision(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 1, .heads = 2, .head_dim = 2, .out_dim = 1};
  static const double v[] = {1, 15 * 0x1p-56, 1, 0}, output[] = {1, 1, -1, 0};
  for (int e = 0; e < ENGINE_COUNT; e++) {
    layer_case c;
    attcert_certificate certificate;
    attcert_options options;
    layer_case_init_zero(&c, &shape);
    memcpy(c.layer.value_weight, v, sizeof v);
    memcpy(c.layer.output_weight, output, sizeof output);
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.engine = ENGINES[e];
    options.precision = 53;
    assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
    assert_true(mpfr_cmp_d(certificate.lower, v[1]) <= 0 && mpfr_cmp_d(certificate.upper, v[1]) >= 0);
    assert_true(certificate.relative_width <= promised_width(ENGINES[e]));
    assert_true(mpfr_cmp_d(certificate.upper, certificate.estimate) >= 0);
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
}

/* J = (1, 1): the ends are 53-bit numbers on both sides of sqrt(2). */
static void test_ends_are_rounded_outward(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 2, .heads = 1, .head_dim = 1};
  mpfr_t root;
  mpfr_init2(root, 200);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  for (int e = 0; e < ENGINE_COUNT; e++) {
    layer_case c;
    attcert_certificate certificate;
    attcert_options options;
    layer_case_init_zero(&c, &shape);
    c.layer.value_weight[0] = c.layer.value_weight[1] = 1;
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.engine = ENGINES[e];
    assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
    assert_true(mpfr_less_p(certificate.lower, root) && mpfr_greater_p(certificate.upper, root));
    mpfr_nextabove(certificate.lower); /* Lanczos finds the direction to the last bit here */
    assert_true(mpfr_greater_p(certificate.lower, root));
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
  mpfr_clear(root);
}

/* Who asks for less gets no wider an enclosure, also below what 53 bits can show. */
static void check_tolerances(const layer_case *c, attcert_engine engine, int index) {
  double width = INFINITY;
  for (int exponent = -1; exponent >= -18; exponent--) {
    attcert_certificate certificate;
    attcert_options options;
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.engine = engine;
    options.tolerance = pow(10, exponent);
    assert_int_equal(certify(&certificate, c, &options, NULL), ATTCERT_OK);
    if (certificate.relative_width > width)
      fail_msg("case %d, %s, tolerance 1e%d: %g after %g", index, attcert_engine_name(engine), exponent,
               certificate.relative_width, width);
    width = certificate.relative_width;
    attcert_certificate_clear(&certificate);
  }
}

static void test_tolerances_are_monotonic(void **state) {
  (void)state;
  for (int index = 0; index < 12; index++) {
    layer_case c;
    small_case(&c, index);
    check_tolerances(&c, ATTCERT_ENGINE_MPFR, index);
    check_tolerances(&c, ATTCERT_ENGINE_AUTO, index);
    layer_case_clear(&c);
  }
}

/* ---- wider than double allows ------------------------------------------------------------------------------------ */

/* Two heads that cancel to 2^-20, beyond the sizes for which auto takes the mpfr engine unasked (n^2 d > 2^22). */
static void far_cancelling_case(layer_case *c) {
  const layer_shape shape = {.n = 260, .dim = 64, .heads = 2, .head_dim = 1, .out_dim = 1};
  random_source r = random_source_make(27, 0, 0);
  layer_case_init_gaussian(c, &shape, &r);
  memcpy(c->layer.query_weight + 64, c->layer.query_weight, 64 * sizeof(double));
  memcpy(c->layer.key_weight + 64, c->layer.key_weight, 64 * sizeof(double));
  for (int i = 0; i < 64; i++) c->layer.value_weight[64 + i] = c->layer.value_weight[i] * (1 + 0x1p-20);
  c->layer.output_weight[0] = 1;
  c->layer.output_weight[1] = -1;
}

/* Unasked, or without the memory, the plan says what would help; with a tolerance auto goes on to mpfr, and says so. */
static void test_wide_beyond_the_explicit_sizes(void **state) {
  (void)state;
  static const char *const says[] = {"ask for it", "more memory than may be used", "so repeated with the mpfr engine"};
  layer_case c;
  far_cancelling_case(&c);
  for (int step = 0; step < 3; step++) {
    attcert_certificate certificate;
    attcert_options options;
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.tolerance = step == 0 ? 0 : 1e-11;
    options.memory_limit = step == 1 ? UINT64_C(200) << 20 : UINT64_C(4) << 30;
    assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
    assert_non_null(strstr(certificate.plan, says[step]));
    assert_true((certificate.relative_width <= 1e-11) == (step == 2));
    attcert_certificate_clear(&certificate);
  }
  layer_case_clear(&c);
}

/* ---- directions that an iteration may miss ----------------------------------------------------------------------- */

/* How wide an engine's enclosure may be where J has the singular values 2 and 1. */
static double width_of_two_and_one(attcert_engine engine) {
  if (engine == ATTCERT_ENGINE_RANDOM) return 1e-2;
  if (engine == ATTCERT_ENGINE_FROBENIUS) return 1 - 2 / sqrt(5) + 1e-10;
  return fmin(promised_width(engine), 1e-10);
}

/* Uniform attention of one token, J = V with eigenvalues 2 and 1, the latter along the deterministic start. */
static void test_top_orthogonal_to_the_start(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 2, .heads = 1, .head_dim = 2};
  static const double v[] = {0x1.ee8e747e890a1p+0, 0x1.020814a4979a4p-2, 0x1.020814a4979a4p-2, 0x1.11718b8176f5fp+0};
  for (int e = 0; e < ENGINE_COUNT; e++) {
    layer_case c;
    attcert_certificate certificate;
    attcert_options options;
    layer_case_init_zero(&c, &shape);
    memcpy(c.layer.value_weight, v, sizeof v);
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.engine = ENGINES[e];
    assert_int_equal(certify(&certificate, &c, &options, NULL), ATTCERT_OK);
    assert_true(certificate.relative_width <= width_of_two_and_one(ENGINES[e]));
    assert_true(mpfr_cmp_d(certificate.lower, 2 * (1 + 1e-12)) <= 0 && mpfr_cmp_d(certificate.upper, 2 - 1e-12) >= 0);
    assert_true(fabs(certificate.estimate - 2) <= 1e-12);
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_every_engine),
      cmocka_unit_test(test_reused_certificate),
      cmocka_unit_test(test_zero),
      cmocka_unit_test(test_norm_below_the_first_precision),
      cmocka_unit_test(test_ends_are_rounded_outward),
      cmocka_unit_test(test_tolerances_are_monotonic),
      cmocka_unit_test(test_wide_beyond_the_explicit_sizes),
      cmocka_unit_test(test_top_orthogonal_to_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
