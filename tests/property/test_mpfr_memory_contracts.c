/* The contracts of MPFR's digits, exponents and custom memory that the proofs trust (spec/mpfr_model/mpfr_digits.h and
 * mpfr_memory.h), on random numbers: each assertion is a clause there.
 *   ATTCERT_CONTRACT_CASES=N   calls of each function
 *   ATTCERT_SEED=S             which */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "random_source.h"
#include "test_setting.h"

enum { DEFAULT_CASES = 2000, MOST_PRECISION = 300 };

static const mpfr_exp_t EXPONENT_LIMIT = (mpfr_exp_t)1 << 62;

/* A number of any sign and exponent, zero now and then; x is initialised here. */
static void choose_number(mpfr_t x, random_source *r, gmp_randstate_t bits) {
  mpfr_init2(x, random_integer(r, MPFR_PREC_MIN, MOST_PRECISION));
  if (random_chance(r, 0.05)) {
    mpfr_set_zero(x, random_chance(r, 0.5) ? 1 : -1);
    return;
  }
  mpfr_urandomb(x, bits);
  if (mpfr_zero_p(x)) mpfr_set_ui(x, 1, MPFR_RNDN);
  mpfr_set_exp(x, random_chance(r, 0.1)   ? mpfr_get_emax()
                  : random_chance(r, 0.1) ? mpfr_get_emin()
                                          : random_integer(r, -2000, 2000));
  if (random_chance(r, 0.5)) mpfr_neg(x, x, MPFR_RNDN);
}

static void check_digits(mpfr_srcptr x, random_source *r) {
  /* Few digits of huge numbers: their powers of ten take long. */
  const size_t n = (size_t)random_integer(r, 1, 40);
  const int base = random_chance(r, 0.5) ? 10 : 16;
  mpfr_exp_t exponent;
  char *const text = mpfr_get_str(NULL, &exponent, base, n, x, (mpfr_rnd_t)random_integer(r, MPFR_RNDN, MPFR_RNDA));
  assert_non_null(text);
  assert_true(-EXPONENT_LIMIT <= exponent && exponent <= EXPONENT_LIMIT);
  assert_int_equal(strlen(text), n + (text[0] == '-'));
  if (mpfr_sgn(x) > 0) assert_true(text[0] != '-');
  mpfr_free_str(text);
}

static void check_exponent(mpfr_ptr x, random_source *r) {
  if (mpfr_zero_p(x)) return;
  const mpfr_exp_t exponent = mpfr_get_exp(x);
  assert_true(-EXPONENT_LIMIT <= exponent && exponent <= EXPONENT_LIMIT);
  const int sign = mpfr_sgn(x);
  mpfr_set_exp(x, random_chance(r, 0.3) ? (mpfr_exp_t)random_bits(r) : random_integer(r, -100, 100));
  assert_true(mpfr_number_p(x));
  assert_true((mpfr_sgn(x) > 0) == (sign > 0));
}

/* The limbs are filled with a pattern first: a zero must not depend on them, nor write beyond them. */
static void check_custom(mpfr_prec_t p) {
  const size_t size = mpfr_custom_get_size(p);
  mpfr_t x;
  assert_int_equal(size, (size_t)(p + 63) / 64 * 8);
  unsigned char *const limbs = malloc(size + 1);
  assert_non_null(limbs);
  memset(limbs, 0xa5, size + 1);
  mpfr_custom_init_set(x, MPFR_ZERO_KIND, 0, p, limbs);
  assert_true(mpfr_zero_p(x));
  assert_int_equal(mpfr_get_prec(x), p);
  for (size_t i = 0; i <= size; i++) assert_int_equal(limbs[i], 0xa5);
  /* The digits are in the room, and nowhere else: p ones in its first words, not a bit behind it. */
  assert_ptr_equal(mpfr_custom_get_significand(x), limbs);
  mpfr_set_ui(x, 1, MPFR_RNDN);
  mpfr_nextbelow(x);
  assert_int_equal(limbs[size - 1], p >= 8 ? 0xff : 0xff << (8 - p) & 0xff);
  assert_int_equal(limbs[size], 0xa5);
  free(limbs);
}

static void test_clauses_hold(void **unused) {
  (void)unused;
  const uint64_t cases = test_setting("ATTCERT_CONTRACT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  gmp_randstate_t bits;
  gmp_randinit_default(bits);
  gmp_randseed_ui(bits, seed);
  for (uint64_t i = 0; i < cases; i++) {
    random_source r = random_source_make(seed, 77, i);
    mpfr_t x;
    choose_number(x, &r, bits);
    if (mpfr_zero_p(x) || (mpfr_get_exp(x) > -3000 && mpfr_get_exp(x) < 3000) || random_chance(&r, 0.01))
      check_digits(x, &r);
    check_exponent(x, &r);
    mpfr_clear(x);
    check_custom(random_integer(&r, MPFR_PREC_MIN, 5000));
  }
  gmp_randclear(bits);
  mpfr_free_cache();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_clauses_hold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
