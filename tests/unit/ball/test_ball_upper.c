/* The growth of the constant over a ball against the heads' T at its centre and its rim. */
#include <stdio.h> /* before mpfr.h, for its printf */

#include "ball/ball_curvature.h"
#include "ball/ball_upper.h"
#include "ball_case.h"
#include "test_setting.h"
#include "with_norms.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CASES = 60 };

static double growth_of(const ball_case *c, const ball_region *region) {
  attcert_options options;
  mpfr_t growth;
  attcert_options_default(&options);
  options.threads = 1;
  mpfr_init2(growth, 64);
  assert_int_equal(growth_with_norms(growth, &c->layer.layer, &c->enclosure, region, &options, NULL), ATTCERT_OK);
  const double value = mpfr_get_d(growth, MPFR_RNDN);
  mpfr_clear(growth);
  return value;
}

static double curvature_of(const ball_case *c, double tau) {
  ball_curvature_scratch s;
  mpfr_t bound;
  mpfr_init2(bound, BALL_PRECISION);
  assert_int_equal(ball_curvature_scratch_init(&s, c->geometry.n, NULL), ATTCERT_OK);
  assert_int_equal(ball_curvature(bound, &c->geometry, tau, &s, NULL), ATTCERT_OK);
  const double value = mpfr_get_d(bound, MPFR_RNDN);
  ball_curvature_scratch_clear(&s);
  mpfr_clear(bound);
  return value;
}

/* Between radius T(0) and radius T(radius), times the root of the moving tokens' number in the tokens' ball; near 0
 * it is the first. */
static void between_centre_and_rim(void **state) {
  (void)state;
  for (uint64_t trial = 0; trial < CASES; trial++) {
    random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 77, trial);
    ball_case c;
    ball_case_init(&c, 0.5, &r);
    const int moving = ball_region_count(&c.region, c.geometry.n);
    const double root = c.region.kind == BALL_TOKEN ? sqrt(moving) : 1.0, radius = c.region.radius;
    const double centre = root * curvature_of(&c, 0.0), rim = root * curvature_of(&c, radius);
    const double growth = growth_of(&c, &c.region) / radius;
    if (!(growth >= centre * (1 - 1e-12) && growth <= rim * (1 + 1e-12)))
      fail_msg("growth %g of the radius, T %g at the centre, %g at the rim", growth, centre, rim);
    /* an upper sum of 32 steps is little above the integral of a convex T */
    if (!(growth <= 0.5 * (centre + rim) + rim / 32)) fail_msg("growth %g, T %g to %g", growth, centre, rim);
    const ball_region small = {.radius = 1e-9, .kind = c.region.kind, .moves = c.region.moves};
    const double slope = growth_of(&c, &small) / 1e-9;
    if (!(fabs(slope - centre) <= 1e-6 * (1 + centre))) fail_msg("slope %g, expected %g", slope, centre);
    const ball_region none = {.kind = c.region.kind, .moves = c.region.moves};
    assert_true(growth_of(&c, &none) == 0.0);
    ball_case_clear(&c);
  }
}

/* Two heads of equal weights: the growth of one twice with W_O = (I I), and sqrt(2) times without. */
static void two_heads(void **state) {
  (void)state;
  enum { N = 3, D = 3, K = 2 };
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 78, 0);
  const ball_region region = {.radius = 0.25, .kind = BALL_SEQUENCE};
  for (int outputs = 0; outputs <= K; outputs += K) {
    ball_case one, two;
    layer_case_init_gaussian(&one.layer, &(layer_shape){N, D, 1, K, outputs, false, ATTCERT_MASK_NONE}, &r);
    layer_case_init_gaussian(&two.layer, &(layer_shape){N, D, 2, K, outputs, false, ATTCERT_MASK_NONE}, &r);
    for (int i = 0; i < N * D; i++) two.layer.x.data[i] = one.layer.x.data[i];
    for (int i = 0; i < 2 * K * D; i++) {
      two.layer.layer.query_weight[i] = one.layer.layer.query_weight[i % (K * D)];
      two.layer.layer.key_weight[i] = one.layer.layer.key_weight[i % (K * D)];
      two.layer.layer.value_weight[i] = one.layer.layer.value_weight[i % (K * D)];
    }
    for (int i = 0; i < outputs * K; i++) one.layer.layer.output_weight[i] = i % (K + 1) == 0 ? 1.0 : 0.0;
    for (int i = 0; i < outputs * 2 * K; i++) two.layer.layer.output_weight[i] = i % (2 * K) % K == i / (2 * K);
    assert_int_equal(layer_enclosure_init(&one.enclosure, &one.layer.layer, &one.layer.x, 128, 1, NULL), ATTCERT_OK);
    assert_int_equal(layer_enclosure_init(&two.enclosure, &two.layer.layer, &two.layer.x, 128, 1, NULL), ATTCERT_OK);
    const double ratio = growth_of(&two, &region) / growth_of(&one, &region);
    assert_true(fabs(ratio - (outputs > 0 ? 2.0 : sqrt(2.0))) < 1e-9);
    layer_enclosure_clear(&one.enclosure);
    layer_enclosure_clear(&two.enclosure);
    layer_case_clear(&one.layer);
    layer_case_clear(&two.layer);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(between_centre_and_rim), cmocka_unit_test(two_heads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
