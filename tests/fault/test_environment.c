/* Floating-point environments in which no bound would hold: every engine refuses them, in the thread that asks and in
 * those it starts, and certifies again when the default one is back. */
#include "attcert.h"
#include "enclosure_verdict.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void small_case(layer_case *c) {
  const layer_shape shape = {.n = 5, .dim = 4, .heads = 2, .head_dim = 2, .out_dim = 4, .biases = true};
  random_source r = random_source_make(31, 0, 0);
  layer_case_init_gaussian(c, &shape, &r);
}

static const attcert_engine engines[] = {ATTCERT_ENGINE_AUTO, ATTCERT_ENGINE_MPFR, ATTCERT_ENGINE_DENSE,
                                         ATTCERT_ENGINE_DEFLATED, ATTCERT_ENGINE_POINTWISE};

/* With 1 and with 2 threads: the status of each engine, and of a direction. */
static void assert_all(attcert_status expected, const char *words) {
  layer_case c;
  mpfr_t lo, hi;
  mpfr_inits2(53, lo, hi, (mpfr_ptr)NULL);
  small_case(&c);
  for (size_t i = 0; i < 2 * sizeof engines / sizeof engines[0]; i++) {
    attcert_certificate certificate;
    attcert_options options;
    attcert_error err = {0};
    attcert_certificate_init(&certificate);
    attcert_options_default(&options);
    options.engine = engines[i / 2];
    options.threads = 1 + (int)(i % 2);
    const attcert_status status = attcert_certify(&certificate, &c.layer, &c.x, &options, &err);
    if (status != expected || strstr(err.message, words) == NULL)
      fail_msg("%s: status %d, '%s'", attcert_engine_name(options.engine), status, err.message);
    if (status == ATTCERT_OK) assert_true(mpfr_lessequal_p(certificate.lower, certificate.upper));
    if (status != ATTCERT_OK) assert_true(mpfr_zero_p(certificate.lower) && mpfr_inf_p(certificate.upper));
    attcert_certificate_clear(&certificate);
    assert_int_equal(attcert_direction(lo, hi, &c.layer, &c.x, &c.x, &options, &err), expected);
  }
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
  layer_case_clear(&c);
}

#if defined(__x86_64__)
#include <xmmintrin.h>

/* The word of SSE alone, which fesetround and fegetround share with the x87's. */
static void refuses_words_of_sse(void **state) {
  (void)state;
  const unsigned before = _mm_getcsr();
  const unsigned words[] = {before | _MM_ROUND_UP, before | _MM_ROUND_DOWN, before | _MM_ROUND_TOWARD_ZERO,
                            before | 0x8000U /* flush to zero */, before | 0x0040U /* denormals are zero */};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    _mm_setcsr(words[i]);
    assert_all(ATTCERT_INPUT, "floating-point environment");
    _mm_setcsr(before);
  }
  assert_all(ATTCERT_OK, "");
}

static void refuses_a_short_x87(void **state) {
  (void)state;
  unsigned short before, word;
  __asm__ volatile("fnstcw %0" : "=m"(before));
  for (unsigned bits = 0x000; bits <= 0x200; bits += 0x200) { /* 24 and 53 */
    word = (unsigned short)((before & ~0x300U) | bits);
    __asm__ volatile("fldcw %0" : : "m"(word));
    assert_all(ATTCERT_INPUT, "x87");
  }
  __asm__ volatile("fldcw %0" : : "m"(before));
  assert_all(ATTCERT_OK, "");
}
#endif

static void refuses_roundings(void **state) {
  (void)state;
  const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    fesetround(modes[i]);
    assert_all(ATTCERT_INPUT, "floating-point environment");
    fesetround(FE_TONEAREST);
  }
  assert_all(ATTCERT_OK, "");
}

/* Another range belongs to this thread, those it starts have the default one; a wider one than that does no harm. */
static void refuses_few_exponents(void **state) {
  (void)state;
  const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
  const mpfr_exp_t ranges[][2] = {{-64, 64}, {-1100, most}, {least, 1100}, {least + 1, most}, {least, most - 1}};
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
    mpfr_set_emin(ranges[i][0]);
    mpfr_set_emax(ranges[i][1]);
    assert_all(ATTCERT_INPUT, "exponents");
  }
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  assert_all(ATTCERT_OK, "");
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  assert_all(ATTCERT_OK, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
#if defined(__x86_64__)
    cmocka_unit_test(refuses_words_of_sse),
    cmocka_unit_test(refuses_a_short_x87),
#endif
    cmocka_unit_test(refuses_roundings),
    cmocka_unit_test(refuses_few_exponents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
