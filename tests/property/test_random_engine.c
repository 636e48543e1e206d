/* The engine random against the engine dense, layer after layer of every family, hostile ones among them: at a failure
 * probability of 2^-20 each, none of its upper ends is below the norm that dense holds in its enclosure, nor any of its
 * lower ends above it. By default some layers a family; ATTCERT_CASES=2000 takes so many in all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "attcert.h"
#include "random_layer.h"
#include "test_setting.h"

enum { DEFAULT_CASES = 200, SEEDS = 3 };
static const double FAILURE = 0x1p-20;

static attcert_options options_of(attcert_engine engine, double tolerance) {
  attcert_options options;
  attcert_options_default(&options);
  options.engine = engine;
  options.tolerance = tolerance;
  return options;
}

/* How close the enclosure of random came; both ends on their sides of what dense knows. */
static bool compare(const layer_case *c, const attcert_certificate *dense, uint64_t seed, const char *family,
                    uint64_t index) {
  attcert_options options = options_of(ATTCERT_ENGINE_RANDOM, seed % 2 == 0 ? 1e-2 : 1e-3);
  options.failure = FAILURE;
  options.seeded = true;
  options.seed = seed;
  attcert_certificate random;
  attcert_certificate_init(&random);
  assert_int_equal(attcert_certify(&random, &c->layer, &c->x, &options, NULL), ATTCERT_OK);
  if (mpfr_less_p(random.upper, dense->lower) || mpfr_greater_p(random.lower, dense->upper))
    fail_msg("%s, index %llu, seed %llu: [%.17g, %.17g] misses [%.17g, %.17g]", family, (unsigned long long)index,
             (unsigned long long)seed, mpfr_get_d(random.lower, MPFR_RNDD), mpfr_get_d(random.upper, MPFR_RNDU),
             mpfr_get_d(dense->lower, MPFR_RNDD), mpfr_get_d(dense->upper, MPFR_RNDU));
  const bool by_random = random.engine == ATTCERT_ENGINE_RANDOM && random.tolerance_met;
  attcert_certificate_clear(&random);
  return by_random;
}

static void test_against_dense(void **state) {
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), first = test_setting("ATTCERT_SEED", 1);
  uint64_t runs = 0, by_random = 0;
  (void)state;
  for (uint64_t index = 0; index < cases; index++) {
    const int family = (int)(index % (uint64_t)random_layer_families());
    const attcert_options options = options_of(ATTCERT_ENGINE_DENSE, 1e-9);
    layer_case c;
    attcert_certificate dense;
    layer_case_init(&c, family, first, index);
    attcert_certificate_init(&dense);
    assert_int_equal(attcert_certify(&dense, &c.layer, &c.x, &options, NULL), ATTCERT_OK);
    for (uint64_t seed = 0; seed < SEEDS; seed++, runs++)
      by_random += compare(&c, &dense, SEEDS * index + seed, random_layer_family(family), index);
    attcert_certificate_clear(&dense);
    layer_case_clear(&c);
  }
  print_message("%llu runs of random, %llu of them as narrow as asked\n", (unsigned long long)runs,
                (unsigned long long)by_random);
  assert_true(2 * by_random > runs);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_dense)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
