/* Starts drawn at random: each pair is the exact one that its bits stand for up to far less than is claimed, at the
 * ends of its range too; the threshold meets its inequality, sharply; small components are as rare as it says. */
#include "randomized/randomized_start.h"

#include "random_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

enum { PRECISION = 400 };

/* pair := sqrt(-2 ln U) (cos, sin)(2 pi V), U = (w_0 2^64 + w_1 + a) 2^-128, V = (w_2 + a) 2^-64. */
static void exact_pair(mpfr_t pair[2], const uint64_t word[3], double a) {
  mpfr_t u, v;
  mpfr_inits2(PRECISION, u, v, (mpfr_ptr)0);
  mpfr_set_ui_2exp(u, word[0], 64, MPFR_RNDN);
  mpfr_add_ui(u, u, word[1], MPFR_RNDN);
  mpfr_add_d(u, u, a, MPFR_RNDN);
  mpfr_mul_2si(u, u, -128, MPFR_RNDN);
  mpfr_log(u, u, MPFR_RNDN);
  mpfr_mul_si(u, u, -2, MPFR_RNDN);
  mpfr_sqrt(u, u, MPFR_RNDN);
  mpfr_const_pi(v, MPFR_RNDN);
  mpfr_mul_2si(v, v, 1 - 64, MPFR_RNDN);
  mpfr_set_ui(pair[0], word[2], MPFR_RNDN);
  mpfr_add_d(pair[0], pair[0], a, MPFR_RNDN);
  mpfr_mul(v, v, pair[0], MPFR_RNDN);
  mpfr_sin_cos(pair[1], pair[0], v, MPFR_RNDN);
  for (int half = 0; half < 2; half++) mpfr_mul(pair[half], pair[half], u, MPFR_RNDN);
  mpfr_clears(u, v, (mpfr_ptr)0);
}

/* The exact pairs at both ends of what the bits leave open, and one inside. */
static void check_pair(const uint64_t word[3]) {
  static const double places[] = {0x1p-60, 0.37, 1.0 - 0x1p-50};
  double pair[2];
  mpfr_t exact[2];
  mpfr_inits2(PRECISION, exact[0], exact[1], (mpfr_ptr)0);
  randomized_start_pair(pair, word);
  for (int p = 0; p < 3; p++) {
    exact_pair(exact, word, places[p]);
    for (int half = 0; half < 2; half++) {
      mpfr_sub_d(exact[half], exact[half], pair[half], MPFR_RNDN);
      assert_true(fabs(mpfr_get_d(exact[half], MPFR_RNDN)) <= 0x1p-45);
    }
  }
  mpfr_clears(exact[0], exact[1], (mpfr_ptr)0);
}

static void test_pairs(void **state) {
  static const uint64_t ends[] = {0,
                                  1,
                                  UINT64_C(1) << 32,
                                  (UINT64_C(1) << 63) - 1,
                                  UINT64_C(1) << 63,
                                  UINT64_MAX - (UINT64_C(1) << 20),
                                  UINT64_MAX - 1,
                                  UINT64_MAX};
  enum { ENDS = sizeof ends / sizeof ends[0] };
  (void)state;
  for (int i = 1; i < ENDS; i++) { /* U >= 2^-64 */
    for (int j = 0; j < ENDS; j++) {
      for (int k = 0; k < ENDS; k++) check_pair((const uint64_t[]){ends[i], ends[j], ends[k]});
    }
  }
  random_source r = random_source_make(14, 0, 0);
  for (int i = 0; i < 20000; i++) {
    const uint64_t first = random_bits(&r) >> random_integer(&r, 0, 62);
    check_pair((const uint64_t[]){first | 1, random_bits(&r), random_bits(&r)});
  }
}

/* (0.8 (t + h sqrt(N)) + N 2^-64)^m in MPFR, rounded upward, against 2^failure. */
static bool meets(double t, double failure, int starts, size_t count) {
  mpfr_t p, s;
  mpfr_inits2(200, p, s, (mpfr_ptr)0);
  mpfr_sqrt_ui(p, count, MPFR_RNDU);
  mpfr_mul_d(p, p, RANDOMIZED_START_ERROR, MPFR_RNDU);
  mpfr_add_d(p, p, t, MPFR_RNDU);
  mpfr_mul_ui(p, p, 4, MPFR_RNDU);
  mpfr_div_ui(p, p, 5, MPFR_RNDU);
  mpfr_set_ui_2exp(s, count, -64, MPFR_RNDU);
  mpfr_add(p, p, s, MPFR_RNDU);
  mpfr_pow_ui(p, p, (unsigned long)starts, MPFR_RNDU);
  mpfr_set_d(s, failure, MPFR_RNDD);
  mpfr_exp2(s, s, MPFR_RNDD);
  const bool met = mpfr_lessequal_p(p, s);
  mpfr_clears(p, s, (mpfr_ptr)0);
  return met;
}

static void test_threshold(void **state) {
  (void)state;
  for (int starts = 4; starts <= 32; starts += 4) {
    for (size_t count = 1; count < (size_t)1 << 31; count = 3 * count + 7) {
      for (double failure = -100.0; failure < 0.0; failure += 31.7) {
        const double t = randomized_start_threshold(failure, starts, count);
        if (!(t > 0.0)) continue;
        assert_true(meets(t, failure, starts, count));
        assert_false(meets(t * (1.0 + 0x1p-30), failure, starts, count));
      }
    }
  }
  assert_true(randomized_start_threshold(-100.0, 8, 76800) > 1e-4);
  assert_false(randomized_start_threshold(-4000.0, 8, 76800) > 0.0); /* below what the error of the draws allows */
}

/* <x, u> for a fixed unit vector: as often within t as a normal number is, 0.797 t for small t. */
static void test_components(void **state) {
  enum { N = 64, DRAWS = 40000 };
  (void)state;
  random_source r = random_source_make(14, 1, 0);
  double u[N], x[N], norm = 0.0;
  for (int i = 0; i < N; i++) {
    u[i] = random_gaussian(&r);
    norm += u[i] * u[i];
  }
  randomized_bits bits = {.seeded = true, .seed = 5};
  int small = 0, negative = 0;
  double squares = 0.0;
  for (int draw = 0; draw < DRAWS; draw++) {
    double dot = 0.0;
    assert_int_equal(randomized_start_draw(x, N, &bits, NULL), ATTCERT_OK);
    for (int i = 0; i < N; i++) dot += x[i] * u[i];
    dot /= sqrt(norm);
    small += fabs(dot) <= 0.1;
    negative += dot < 0.0;
    squares += dot * dot;
  }
  assert_true(fabs(small - 0.07966 * DRAWS) <= 5.0 * sqrt(0.0733 * DRAWS));
  assert_true(fabs(negative - 0.5 * DRAWS) <= 5.0 * sqrt(0.25 * DRAWS));
  assert_true(fabs(squares - DRAWS) <= 5.0 * sqrt(2.0 * DRAWS));
}

/* An odd length draws whole pairs; the system's bits are never the same twice; a seed's are. */
static void test_sources(void **state) {
  (void)state;
  double x[2][131];
  randomized_bits bits = {.seeded = false};
  for (int i = 0; i < 2; i++) assert_int_equal(randomized_start_draw(x[i], 131, &bits, NULL), ATTCERT_OK);
  assert_memory_not_equal(x[0], x[1], sizeof x[0]);
  for (int i = 0; i < 2; i++) {
    bits = (randomized_bits){.seeded = true, .seed = 9};
    assert_int_equal(randomized_start_draw(x[i], 131, &bits, NULL), ATTCERT_OK);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_int_equal(randomized_start_draw(x[1], 131, &bits, NULL), ATTCERT_OK);
  assert_memory_not_equal(x[0], x[1], sizeof x[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_threshold),
      cmocka_unit_test(test_components),
      cmocka_unit_test(test_sources),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
